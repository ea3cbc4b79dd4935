#!/bin/sh
# tools/install.sh VENV [dev]: what the app needs, or what a developer needs too, as locks/ has it. A file whose hash
# does not stand there is refused; packages come as wheels, since what builds one from source has no hash.
# TORCH=cpu (without more: the CPU build of torch), cuda (with libraries for graphics cards) or none (without torch).
# uv does it in a tenth of pip's time, and finds the CPU build of torch that PyPI lacks for Linux.
set -eu
home=$1
torch=${TORCH:-cpu}
said=$(mktemp -d)
trap 'rm -r "$said"' EXIT
if [ "$torch" = none ]; then
  sed '/^torch==/,/[^\\]$/d' locks/app.txt >"$said/app.txt"
  locks="-r $said/app.txt"
else
  locks="-r locks/app.txt -r locks/torch-$torch.txt"
fi
[ "${2:-}" != dev ] || locks="$locks -r locks/dev.txt"
strict="--require-hashes --only-binary :all: -q"
anew=""
case $torch in
  cpu) ;;
  # uv would take a CPU build at hand, or one that is installed, for the same version.
  cuda) anew="--reinstall-package torch" && export UV_FIND_LINKS= ;;
  none) ;;
  *) echo "TORCH=$torch: give cpu, cuda or none." >&2 && exit 2 ;;
esac
pip() { "$home/bin/pip" --disable-pip-version-check install $strict "$@"; }
uv() { sh tools/uv.sh "$home" pip install --python "$home/bin/python" $strict $anew "$@"; }

sed -n '/^uv==/,/[^\\]$/p' locks/dev.txt >"$said/uv.txt"
pip -r "$said/uv.txt"
# As packages are found here: a folder or an index with the build that is asked for.
if uv $locks 2>"$said/here"; then exit 0; fi
# PyTorch's own index, whose address uv knows.
if [ "$torch" = cpu ] && uv --torch-backend cpu $locks 2>"$said/index"; then exit 0; fi
if pip $locks 2>"$said/pip"; then exit 0; fi
for file in here index pip; do [ ! -s "$said/$file" ] || tail -n 12 "$said/$file" >&2; done
echo "The packages of locks/ could not be installed: the lines above say why. If the CPU build of torch cannot be" >&2
echo "reached, put its wheel into a folder and name the folder in PIP_FIND_LINKS; TORCH=cuda takes PyPI's build, whose" >&2
echo "libraries for graphics cards are gigabytes; TORCH=none leaves torch out (docs/dependencies.md)." >&2
exit 1
