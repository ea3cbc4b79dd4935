"""A release: one version, complete files without tests, bills of materials, and the steps that are left."""

import hashlib
import tarfile

import pytest

from tools import release
from tools.release import ReleaseError

ROOT = release.ROOT


@pytest.fixture
def project(tmp_path):
    """A project with the three files that name a version."""
    (tmp_path / "dpcore").mkdir()
    (tmp_path / "dpcore" / "__init__.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "CITATION.cff").write_text("version: 1.2.3\n")
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 1.2.3 - 2027-01-31\n\n## 1.2.2 - 2026-12-01\n"
    )
    return tmp_path


def test_this_project_has_one_version_and_a_dated_or_unreleased_entry():
    assert release.version() == release.version(ROOT)
    release.release_date()


def test_the_version_has_to_be_the_same_in_all_files(project):
    assert release.version(project) == "1.2.3"
    for file in ("dpcore/__init__.py", "CITATION.cff", "CHANGELOG.md"):
        before = (project / file).read_text()
        (project / file).write_text(before.replace("1.2.3", "1.3.0"))
        with pytest.raises(ReleaseError, match=rf"{file}: 1\.3\.0"):
            release.version(project)
        (project / file).write_text(before)


@pytest.mark.parametrize(
    ("head", "date"), [("## 1.2.3 - 2027-01-31", "2027-01-31"), ("## 1.2.3 - unreleased", None)]
)
def test_an_entry_has_a_date_or_says_that_it_is_unreleased(project, head, date):
    (project / "CHANGELOG.md").write_text(f"# Changelog\n\n{head}\n")
    assert release.release_date(project) == date


@pytest.mark.parametrize("head", ["## 1.2.3", "## 1.2.3 - soon", "## next"])
def test_another_head_is_refused(project, head):
    (project / "CHANGELOG.md").write_text(f"# Changelog\n\n{head}\n")
    with pytest.raises(ReleaseError, match="CHANGELOG"):
        release.release_date(project)


def packed(path, *names):
    with tarfile.open(path, "w:gz") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(name))


def distributions(folder, version="1.2.3", inside=("x/setup.py", "x/testing.py")):
    for name in release.DISTRIBUTIONS:
        (folder / f"{name}-{version}-py3-none-any.whl").write_bytes(b"wheel of " + name.encode())
        packed(folder / f"{name}-{version}.tar.gz", *inside)


def test_complete_distributions_are_found(tmp_path):
    distributions(tmp_path)
    found = release.check_files(tmp_path, "1.2.3")
    assert [[file.suffix for file in files] for files in found.values()] == [[".whl", ".gz"]] * 2


def test_a_missing_file_and_another_version_are_named(tmp_path):
    with pytest.raises(ReleaseError, match="has nothing of dpcore"):
        release.check_files(tmp_path, "1.2.3")
    distributions(tmp_path, "1.2.2")
    with pytest.raises(ReleaseError, match=r"dpcore-1\.2\.2.*not dpcore-1\.2\.3"):
        release.check_files(tmp_path, "1.2.3")


@pytest.mark.parametrize("name", ["x/tests/test_layers.py", "x/test_budget.py", "x/tests"])
def test_tests_in_a_source_distribution_are_found(tmp_path, name):
    distributions(tmp_path, inside=("x/setup.py", name))
    with pytest.raises(ReleaseError, match="has tests"):
        release.check_files(tmp_path, "1.2.3")


def test_a_bill_of_materials_is_about_the_distribution(tmp_path):
    distributions(tmp_path)
    files = release.check_files(tmp_path, "1.2.3")["dp_explorer"]
    bom = {
        "metadata": {"tools": {}},
        "components": [
            {"name": "numpy", "bom-ref": "numpy==2.4"},
            {"name": "dp-explorer", "bom-ref": "dp-explorer==1.2.3", "type": "library"},
        ],
        "dependencies": [{"ref": "dp-explorer==1.2.3", "dependsOn": ["numpy==2.4"]}],
    }
    found = release.subject_of(bom, "dp_explorer", "application", files)
    subject = found["metadata"]["component"]
    assert (subject["bom-ref"], subject["type"]) == ("dp-explorer==1.2.3", "application")
    assert [one["name"] for one in found["components"]] == ["numpy"]
    assert found["dependencies"] == bom["dependencies"]
    digest = hashlib.sha256(b"wheel of dp_explorer").hexdigest()
    assert subject["externalReferences"][0]["hashes"] == [{"alg": "SHA-256", "content": digest}]
    with pytest.raises(ReleaseError, match="dpcore"):
        release.subject_of(bom, "dpcore", "library", files)


def test_what_is_left_depends_on_date_and_commits():
    ready = release.next_steps("1.2.3", "2027-01-31", clean=True).splitlines()
    assert [line.partition(" ")[2].split()[0] for line in ready] == ["git", "twine", "Attach"]
    undated = release.next_steps("1.2.3", None, clean=True)
    assert "unreleased" in undated.splitlines()[0]
    assert "run `make release` again" in undated
    assert "run `make release` again" in release.next_steps("1.2.3", "2027-01-31", clean=False)


def test_an_unready_release_ends_with_one_and_a_sentence(tmp_path, capsys):
    assert release.main([str(tmp_path), "--tools", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert "`make dist` builds them" in said.err or "tag" in said.err
    assert said.out == ""
