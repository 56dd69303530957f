import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from catchkit.builders.registry import entry_url
from catchkit.builders.structured import STRUCTURED_SCHEMA
from catchkit.cli.main import main
from catchkit.configs import PRE
from catchkit.loaders.tables import read_table
from factories import FIXTURES
from loopback import MCP_SERVER, Answer, Site, serving, serving_mcp

TEMPLATE = (FIXTURES / "n8n/101.json").read_bytes()


def ids(path: str) -> list[str]:
    return [row["instance_id"] for row in read_table(Path(path), PRE).to_pylist()]


@pytest.fixture
def gallery(tmp_path: Path) -> Iterator[Site]:
    """Serve three templates, of which one is gone."""
    (tmp_path / "ids.txt").write_text("101\n# a remark\n103  # another\n404\n101\n", "utf-8")
    other = TEMPLATE.replace(b'"id": 101', b'"id": 103')
    with serving({"/t/101": Answer(TEMPLATE), "/t/103": Answer(other)}) as site:
        yield site


def harvest_gallery(site: Site) -> int:
    arguments = ["--ids", "ids.txt", "--base", f"{site.url}/t", "--pause", "0"]
    return main(["harvest", "n8n", *arguments, "--out", "r.parquet"])


@pytest.mark.parametrize("source", ["crewai", "injecagent", "mcp", "n8n", "sweagent", "synthetic"])
def test_a_folder_becomes_records_and_counted_skips(
    source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["harvest", source, "--from", str(FIXTURES / source), "--out", "r.parquet"]) == 0
    shown = capsys.readouterr()
    assert f"r.parquet: {len(ids('r.parquet'))} records" in shown.out
    assert shown.err == ""
    assert os.listdir() == ["r.parquet"]  # noqa: PTH208 - hidden files too


def test_every_skip_can_be_had_with_its_detail() -> None:
    place = str(FIXTURES / "crewai")
    arguments = ["--from", place, "--out", "r.parquet", "--skipped", "s.jsonl"]
    assert main(["harvest", "crewai", *arguments]) == 0
    rows = [json.loads(line) for line in Path("s.jsonl").read_text("utf-8").splitlines()]
    assert {row["reason"] for row in rows} == {"agent without tools", "entry is no mapping"}


def test_a_harvest_is_labelled_by_judges_votes() -> None:
    place = str(FIXTURES / "n8n")
    arguments = ["--from", place, "--out", "r.parquet", "--texts", "t.jsonl"]
    assert main(["harvest", "n8n", *arguments]) == 0
    (line,) = Path("t.jsonl").read_text("utf-8").splitlines()
    text = json.loads(line)
    assert text["instance_id"] == "n8n-101"
    assert text["text"].startswith("Answer the door\n\nGreets visitors")
    for judge, needed in (("one", []), ("two", ["Look up weather"])):
        vote = {"instance_id": "n8n-101", "judge": judge, "needed": needed}
        Path(judge).write_text(json.dumps(vote) + "\n", "utf-8")
    assert main(["merge-votes", "one", "two", "--records", "r.parquet", "--out", "l.parquet"]) == 0
    (row,) = read_table(Path("l.parquet"), PRE).to_pylist()
    excess = {c["name"]: flag for c, flag in zip(row["capabilities"], row["excess"], strict=True)}
    assert excess == {"Look up weather": False, "Note a visit": True}


def test_a_live_gallery_is_named_before_it_is_asked_and_gone_templates_are_counted(
    gallery: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    assert harvest_gallery(gallery) == 0
    shown = capsys.readouterr()
    host = gallery.url.removeprefix("http://")
    assert shown.err == f"will contact: {host} (3 addresses)\n"
    assert "gone upstream" in shown.out
    assert ids("r.parquet") == ["n8n-101", "n8n-103"]
    assert gallery.asked == ["/t/101", "/t/103", "/t/404"]
    assert not Path("r.parquet.fetched").exists()


def test_an_incomplete_harvest_resumes_where_it_failed(
    gallery: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    good = gallery.answers["/t/103"]
    gallery.answers["/t/103"] = Answer(status=403)
    assert harvest_gallery(gallery) == 3
    assert ids("r.parquet") == ["n8n-101"]
    gallery.answers["/t/103"] = good
    gallery.asked.clear()
    capsys.readouterr()
    assert harvest_gallery(gallery) == 0
    assert gallery.asked == ["/t/103", "/t/404"]
    assert "kept from an earlier run: 1 answers" in capsys.readouterr().err
    assert ids("r.parquet") == ["n8n-101", "n8n-103"]
    assert not Path("r.parquet.fetched").exists()


def test_a_killed_harvest_leaves_no_table_and_resumes(gallery: Site, tmp_path: Path) -> None:
    arguments = ["--ids", "ids.txt", "--base", f"{gallery.url}/t", "--pause", "30"]
    command = [sys.executable, "-m", "catchkit", "harvest", "n8n", *arguments, "--out", "r.parquet"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE) as running:
        kept = tmp_path / "r.parquet.fetched"
        while running.poll() is None and not list(kept.glob("*.answer")):
            pass
        running.send_signal(signal.SIGKILL)
    assert not Path("r.parquet").exists()
    gallery.asked.clear()
    assert harvest_gallery(gallery) == 0
    assert gallery.asked == ["/t/103", "/t/404"]


def test_running_servers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    command = shlex.join([sys.executable, str(MCP_SERVER)])
    with serving_mcp() as url:
        arguments = ["--server", url, "--stdio", command, "--pause", "0", "--out", "r.parquet"]
        assert main(["harvest", "mcp", *arguments]) == 0
    assert ids("r.parquet") == ["mcp-0001-io-example-clock", "mcp-0002-io-example-clock"]
    assert capsys.readouterr().err.splitlines() == [
        f"will contact: {url.split('/')[2]} (1 addresses)",
        f"will run: {Path(sys.executable).name}",
    ]


def test_registry_names_lead_to_the_servers_that_are_open(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("names.txt").write_text("org.example/gone\norg.example/clock\n", "utf-8")
    with serving_mcp() as url, serving({}) as registry:
        entry = {
            "server": {
                "name": "org.example/clock",
                "description": "Tells the time.",
                "repository": {"url": "https://github.com/example/clock"},
                "remotes": [{"type": "streamable-http", "url": url}],
            },
            "_meta": {"io.modelcontextprotocol.registry/official": {"status": "active"}},
        }
        path = entry_url("org.example/clock", registry.url).removeprefix(registry.url)
        registry.answers[path] = Answer(json.dumps(entry).encode())
        arguments = ["--ids", "names.txt", "--base", registry.url, "--pause", "0"]
        assert main(["harvest", "mcp", *arguments, "--out", "r.parquet"]) == 0
    (row,) = read_table(Path("r.parquet"), PRE).to_pylist()
    assert row["instance_id"] == "mcp-0002-org-example-clock"
    assert row["group"] == "example/clock"
    shown = capsys.readouterr()
    assert "not in the registry" in shown.out
    assert "and the servers it names" in shown.err


def test_a_server_that_fails_makes_the_harvest_incomplete() -> None:
    good = shlex.join([sys.executable, str(MCP_SERVER)])
    arguments = ["--stdio", good, "no-such-program", "--pause", "0", "--out", "r.parquet"]
    assert main(["harvest", "mcp", *arguments]) == 3
    assert len(ids("r.parquet")) == 1


def test_a_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    for seed, out in (("11", "a"), ("11", "b"), ("12", "c")):
        assert main(["harvest", "synthetic", "--seed", seed, "--out", out]) == 0
    assert Path("a").read_bytes() == Path("b").read_bytes()
    assert not set(ids("a")) & set(ids("c"))


def test_the_structured_mode_adds_stances_and_needs_a_secret() -> None:
    Path("key").write_bytes(b"0123456789abcdef")
    arguments = ["--from", str(FIXTURES / "synthetic"), "--out", "r.parquet"]
    structured = [*arguments, "--mode", "structured", "--key-file", "key"]
    assert main(["harvest", "synthetic", *structured]) == 0
    table = pq.read_table("r.parquet")
    assert table.schema == STRUCTURED_SCHEMA
    assert table.column("spec_structured").to_pylist()[0]["tokens"] == ["dial"]
    assert "Read the dial" not in str(table.to_pylist())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["n8n", "--from", "nowhere"], "no file or folder nowhere"),
        (["n8n", "--from", "empty.json"], "empty.json"),
        (["n8n", "--from", "http://127.0.0.1:1/x"], "http://127.0.0.1:1/x"),
        (["n8n", "--ids", "nowhere"], "no file nowhere"),
        (["n8n", "--ids", "empty.json"], "holds no id"),
        (["n8n", "--ids", "bad.txt"], "'../7' is not an id"),
        (["n8n", "--ids", "bad.txt", "--from", "."], "--from cannot stand beside --ids"),
        (["n8n", "--ids", "arabic.txt"], "is not an id"),
        (["n8n", "--base", "http://x.example"], "--base says where"),
        (["n8n", "--from", ".", "--pause", "-1"], "--pause cannot be negative"),
        (["n8n", "--from", ".", "--pause", "nan"], "--pause cannot be negative"),
        (["n8n", "--from", "http://[bad"], "http://[bad: is no http or https address"),
        (["n8n", "--license", "MIT"], "--license is that of the place"),
        (["mcp", "--server", "http://[bad"], "is no http or https address"),
        (["mcp", "--server", "file:///etc/passwd"], "is no http or https address"),
        (["mcp", "--from", ".", "--stdio", "x"], "--from cannot stand beside --stdio"),
        (["mcp", "--stdio", "x", "--timeout", "0"], "--timeout must be above 0"),
        (["sweagent"], "name a place with --from"),
        (["synthetic", "--mode", "structured"], "go together"),
        (["synthetic", "--key-file", "bad.txt"], "go together"),
        (["synthetic", "--mode", "structured", "--key-file", "bad.txt"], "fewer than 16 bytes"),
        (["synthetic", "--mode", "structured", "--key-file", "nowhere"], "no file nowhere"),
        (["mcp"], "--server or --stdio"),
        (["mcp", "--stdio", "a 'b"], "No closing quotation"),
        (["mcp", "--stdio", " "], "the command is empty"),
        (["n8n", "--from", "a" * 5000], "no file or folder aaa"),
        (["crewai", "--from", ".", ".", "--license", "MIT"], "--license is that of one place"),
        (["crewai", "--from", f".@{'0' * 40}"], "no file of this source"),
    ],
)
def test_bad_input_is_named_and_nothing_is_written(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("empty.json").write_bytes(b"")
    Path("bad.txt").write_text("7\n../7\n", "utf-8")
    Path("arabic.txt").write_text("\u0663", "utf-8")
    assert main(["harvest", *arguments, "--out", "r.parquet"]) == 2
    assert words in capsys.readouterr().err
    assert not Path("r.parquet").exists()


def test_a_target_that_cannot_be_written_is_refused_before_anybody_is_asked(gallery: Site) -> None:
    arguments = ["--ids", "ids.txt", "--base", f"{gallery.url}/t", "--out", "no/folder/r.parquet"]
    assert main(["harvest", "n8n", *arguments]) == 2
    assert gallery.asked == []


def test_a_name_of_others_cannot_speak_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    Path("place").mkdir()
    (Path("place") / "\x1b[2J.json").write_bytes(b"{")
    (Path("place") / "101.json").write_bytes(TEMPLATE)
    assert main(["harvest", "n8n", "--from", "place", "--out", "r.parquet"]) == 0
    assert "\x1b" not in capsys.readouterr().out
