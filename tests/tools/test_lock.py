"""The locks: complete, with hashes, in agreement with what is required, and without addresses."""

import re

import pytest

from tools.lock import LOCKS, ROOT, of_cuda, parse, pins

REMEDY = "`make lock` writes the locks anew."
DIRECT = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==(\S+)$")


def lock(name):
    return parse((LOCKS / f"{name}.txt").read_text("utf-8"))


def simple(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def required(name):
    lines = (ROOT / name).read_text("utf-8").splitlines()
    found = [DIRECT.match(line) for line in lines if not line.startswith("-r ")]
    assert all(found), f"{name} pins every package with ==."
    return {simple(match[1]): match[2] for match in found if match}


@pytest.mark.parametrize(
    ("requirements", "names"),
    [
        ("requirements.txt", ["app"]),
        ("requirements-dev.txt", ["app", "dev"]),
        ("requirements-release.txt", ["release"]),
    ],
)
def test_what_is_required_is_locked_in_the_same_version(requirements, names):
    locked = {pin.name: pin.version for name in names for pin in lock(name)}
    wanted = required(requirements)
    assert {name: locked.get(name) for name in wanted} == wanted, REMEDY


def test_every_package_has_hashes_of_its_files():
    assert all(pin.hashes for pin in pins())
    assert all(len(set(pin.hashes)) == len(pin.hashes) for pin in pins())


def test_a_package_has_one_version_on_a_machine():
    found = {}
    for pin in [*lock("app"), *lock("dev")]:
        found.setdefault(pin.name, []).append((pin.version, pin.marker))
    several = {name: items for name, items in found.items() if len(items) > 1}
    assert all(marker for items in several.values() for _, marker in items), several


def test_no_lock_names_where_packages_come_from():
    for path in LOCKS.glob("*.txt"):
        text = path.read_text("utf-8")
        assert "://" not in text, path.name
        assert not re.findall(r"^\s*--(?!hash=sha256:)", text, re.M), path.name


def test_only_one_lock_has_libraries_for_graphics_cards():
    for name in ("app", "dev", "torch-cpu"):
        assert not [pin.name for pin in lock(name) if of_cuda(pin.name)], name
    assert len([pin.name for pin in lock("torch-cuda") if of_cuda(pin.name)]) > 10


def test_both_builds_of_torch_are_of_the_required_version_and_for_linux():
    version = required("requirements.txt")["torch"]
    (elsewhere,) = (pin for pin in lock("app") if pin.name == "torch")
    (cpu,) = lock("torch-cpu")
    (cuda,) = (pin for pin in lock("torch-cuda") if pin.name == "torch")
    assert (elsewhere.version, elsewhere.marker) == (version, "sys_platform != 'linux'"), REMEDY
    assert (cpu.version, cpu.marker) == (f"{version}+cpu", "sys_platform == 'linux'"), REMEDY
    assert (cuda.version, cuda.marker) == (version, "sys_platform == 'linux'"), REMEDY
    assert not set(cpu.hashes) & set(cuda.hashes)


def test_what_serves_visitors_is_no_pre_release():
    early = [pin for pin in lock("app") if re.search(r"\d(a|b|rc|\.dev)\d", pin.version)]
    assert not early


def test_a_lock_is_read_as_it_is_written():
    for path in LOCKS.glob("*.txt"):
        text = path.read_text("utf-8")
        assert "".join(str(pin) for pin in parse(text)) == "".join(
            line for line in text.splitlines(keepends=True) if not line.startswith("#")
        )


@pytest.mark.parametrize(
    "text", ["a>=1 \\\n    --hash=sha256:00", "a==1\n", "a==1 \\\n    --hash=md5:00"]
)
def test_what_is_not_pinned_with_a_hash_is_refused(text):
    with pytest.raises(ValueError, match=r"no (package|hash)"):
        parse(text)


def test_the_locks_stand_beside_the_requirements():
    names = {path.name for path in LOCKS.iterdir()}
    assert names == {"app.txt", "dev.txt", "release.txt", "torch-cpu.txt", "torch-cuda.txt"}
