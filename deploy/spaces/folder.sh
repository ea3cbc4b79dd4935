#!/bin/sh
# sh deploy/spaces/folder.sh FOLDER: write the files of a Hugging Face Space into a new folder, from the last commit.
# A Space is shown in a frame of huggingface.co, where the cookie that guards uploads has to be SameSite=None, and
# runs as account 1000.
set -eu
folder=${1:?name a new folder}
mkdir "$folder"
git archive HEAD | tar -x -C "$folder"
cp deploy/spaces/README.md "$folder/README.md"
cat >>"$folder/Dockerfile" <<'END'

ENV DPCORE_FRAME_ANCESTORS="'self' https://huggingface.co https://*.hf.space" \
    STREAMLIT_SERVER_XSRF_COOKIE_SAME_SITE=none
USER 1000
END
