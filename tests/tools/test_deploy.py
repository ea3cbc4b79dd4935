"""The recipes of deploy/ agree with the app: ports, settings, requirements, sandbox."""

import re
import shutil
import subprocess

import pytest
import yaml

from tools.lock import ROOT
from ui.server import application

DEPLOY = ROOT / "deploy"
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
UNIT = DEPLOY / "systemd" / "dp-explorer.service"


def test_community_cloud_takes_the_same_packages_with_the_cpu_build_of_torch():
    wanted = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    text = (DEPLOY / "community_cloud" / "requirements.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines.pop(0) == "--find-links https://download.pytorch.org/whl/cpu/torch/"
    assert [line.replace("+cpu", "") for line in lines] == wanted
    assert [line for line in lines if "+cpu" in line] == [
        line for line in lines if line.startswith("torch==")
    ]


@pytest.fixture(scope="module")
def space(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deploy") / "space"
    command = ["sh", "deploy/spaces/folder.sh", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder


def test_a_space_has_its_port_its_account_and_the_whole_app(space):
    readme = (space / "README.md").read_text("utf-8")
    _, front, _ = readme.split("---\n", 2)
    facts = yaml.safe_load(front)
    assert facts["sdk"] == "docker"
    dockerfile = (space / "Dockerfile").read_text("utf-8")
    assert f"EXPOSE {facts['app_port']}\n" in dockerfile
    assert f"--server.port={facts['app_port']}" in dockerfile
    assert dockerfile.startswith("# One process of the DP Explorer.")
    assert re.findall(r"^USER (\S+)$", dockerfile, re.M)[-1] == "1000"
    assert (space / "app.py").exists()
    assert (space / "pages" / "main.py").exists()


def test_a_space_may_be_shown_in_its_frame_and_its_uploads_work_there(space, monkeypatch):
    end = (space / "Dockerfile").read_text("utf-8").rpartition("\nENV ")[2]
    named = dict(re.findall(r'(\w+)=(".*?"|\S+)', end))
    monkeypatch.setenv(application.FRAMES, named[application.FRAMES].strip('"'))
    said = application.headers("name.hf.space")
    assert (
        "frame-ancestors 'self' https://huggingface.co https://*.hf.space"
        in (said["content-security-policy"])
    )
    assert "x-frame-options" not in said
    from streamlit import config

    name = "STREAMLIT_SERVER_XSRF_COOKIE_SAME_SITE"
    assert named[name] == "none"
    known = config.get_config_options()
    assert name in {option.env_var for option in known.values()}


def test_the_image_runs_as_any_account():
    assert "mkdir --mode 1777 /cache" in DOCKERFILE
    assert re.search(r"HOME=/tmp\b", DOCKERFILE)
    assert "/healthz" in DOCKERFILE


def systemd_analyze(*words):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not on this machine")
    command = ["systemd-analyze", *words]
    return subprocess.run(command, capture_output=True, text=True)


def test_systemd_reads_the_unit_without_a_complaint(tmp_path):
    """The program and the folder that it names are those of another machine."""
    text = UNIT.read_text("utf-8").replace("/opt/dp-explorer/.venv/bin/streamlit", "/bin/true")
    unit = tmp_path / UNIT.name
    unit.write_text(
        text.replace("WorkingDirectory=/opt/dp-explorer", "WorkingDirectory=/"), "utf-8"
    )
    found = systemd_analyze("verify", "--man=no", str(unit))
    assert (found.returncode, found.stderr) == (0, "")


def test_the_unit_is_sandboxed():
    found = systemd_analyze("security", "--offline=true", "--threshold=25", str(UNIT))
    assert found.returncode == 0, found.stdout[-1500:]
