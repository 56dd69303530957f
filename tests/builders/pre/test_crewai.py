"""One test per rule by which a crew's agents get their rosters, on small files of our own."""

import pytest

from catchkit.builders.material import Material, RawConfig, Skipped
from catchkit.builders.pre import crewai
from catchkit.builders.pre.crewai import MAX_RECORDS, SOURCE, tool_names
from catchkit.builders.readers.crew_python import rosters
from catchkit.errors import SourceError


def configs(**files: str) -> dict[str, RawConfig]:
    """Return entry key -> configuration; ``crew="..."`` is the file ``crew.py``."""
    found = SOURCE.parse(_material(**files))
    return {
        entry.instance_id.rpartition(": ")[2]: entry
        for entry in found
        if isinstance(entry, RawConfig)
    }


def skips(**files: str) -> list[tuple[str, str]]:
    found = SOURCE.parse(_material(**files))
    return [(entry.what, entry.reason) for entry in found if isinstance(entry, Skipped)]


def _material(**files: str) -> Material:
    names = {"agents": "config/agents.yaml", "crew": "crew.py", "more": "src/tools.py"}
    return Material(
        repo="owner/name",
        files={names.get(name, name): text.encode() for name, text in files.items()},
    )


def names(config: RawConfig) -> list[str]:
    return [capability.name for capability in config.capabilities]


def roster(code: str, key: str = "f") -> tuple[str, ...]:
    return rosters(code.encode(), "crew.py").get(key, ())


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("config/agents.yaml", True),
        ("src/crew/config/deep/agents.yaml", True),
        ("agents.yaml", False),
        ("src/agents.yaml", False),
        ("config/agents.yml", False),
        ("config/Agents.yaml", False),
        ("config/my_agents.yaml", False),
        (".venv/config/agents.yaml", False),
        ("config/node_modules/agents.yaml", False),
        ("lib/site-packages/x/config/agents.yaml", False),
        ("crew.py", True),
        ("a/Crew.py", True),
        ("a/news_crew.py", True),
        ("a/newscrew.py", False),
        ("a/agents.py", True),
        ("a/TOOLS.py", True),
        ("a/main.py", False),
        ("env/crew.py", False),
    ],
)
def test_which_files_are_read(path: str, wanted: bool) -> None:
    assert SOURCE.wants(path) is wanted


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        ("SerperDevTool", ["SerperDevTool"]),
        ("[a, [b, [c]], a]", ["a", "b", "c"]),
        ("[{name: x, type: y}, {type: z}]", ["x", "z"]),
        ("[{tool: x}, {class: y}]", ["x", "y"]),
        ("{first: 1, second: 2}", ["first", "second"]),
        ("[1, null, true, x]", ["x"]),
    ],
)
def test_a_yaml_roster_is_read_in_each_of_its_shapes(tools: str, expected: list[str]) -> None:
    found = configs(agents=f"a: {{role: r, tools: {tools}}}")
    assert names(found["a"]) == expected


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("'SerperDevTool'", "SerperDevTool"),
        ('"Serper_Dev_Tool"', "SerperDevTool"),
        ("crewai_tools.file_read_tool()", "FileReadTool"),
        ("tools.web.ScrapeWebsiteTool(url=1)", "ScrapeWebsiteTool"),
        ("a SerperDevTool here", "SerperDevTool"),
        ("MyOwnTool", "MyOwnTool"),
        ("firecrawl_search_tool", "FirecrawlSearchTool"),
        ("my_search_tool", "my_search_tool"),
        ("look up things", "look"),
        ("42", ""),
        ("()", ""),
        ("MyToolbox", "MyToolbox"),
    ],
)
def test_a_name_is_written_one_way(written: str, name: str) -> None:
    assert tool_names([written]) == ([name] if name else [])


def test_a_listed_tool_has_its_level_and_any_other_is_custom() -> None:
    found = configs(agents="a: {role: r, tools: [FileWriterTool, MyOwnTool, RagTool]}")
    assert [(c.type, c.permission_level) for c in found["a"].capabilities] == [
        ("crewai_tools.FileWriterTool", "write"),
        ("custom", "unknown"),
        ("crewai_tools.RagTool", "read"),
    ]


def test_the_text_has_a_line_per_part_and_no_long_backstory() -> None:
    short = configs(agents="a: {role: ' A  b\u202fc ', goal: g, backstory: s, tools: [t]}")
    assert short["a"].text == "Role: A b c\nGoal: g\nBackstory: s"
    letters = configs(agents=f"a: {{name: n, backstory: {'x' * 501}, goal: g, tools: [t]}}")
    assert letters["a"].text == "Role: n\nGoal: g"
    words = configs(agents=f"a: {{role: r, backstory: {'x ' * 91}, tools: [t]}}")
    assert words["a"].text == "Role: r"
    limit = configs(agents=f"a: {{role: r, backstory: {'x ' * 90}, tools: [t]}}")
    assert limit["a"].text.startswith("Role: r\nBackstory: x x")


def test_the_yaml_roster_goes_before_the_python_one() -> None:
    code = "def a(self):\n return Agent(tools=[FromPython()])\n"
    both = configs(agents="a: {role: r, tools: [FromYaml]}", crew=code)
    assert names(both["a"]) == ["FromYaml"]
    only = configs(agents="a: {role: r, tools: []}", crew=code)
    assert names(only["a"]) == ["FromPython"]


def test_rosters_of_several_files_are_united_under_one_key() -> None:
    first = "def a(self):\n return Agent(tools=[One()])"
    second = "def a(self):\n return Agent(tools=[Two(), One()])"
    assert names(configs(agents="a: {role: r}", crew=first, more=second)["a"]) == ["One", "Two"]


def test_each_entry_without_a_configuration_is_a_skip() -> None:
    found = skips(agents="a: {role: r}\nb: text\nc: {goal: '  '}\nd: {role: r, tools: [t]}")
    assert found == [
        ("config/agents.yaml: a", "agent without tools"),
        ("config/agents.yaml: b", "entry is no mapping"),
        ("config/agents.yaml: c", "entry has no text"),
    ]
    assert skips(agents="[a, b]") == [("config/agents.yaml", "file is no mapping")]
    assert skips(crew="def (") == [("crew.py", "Python file unreadable")]


def test_bytes_that_are_no_text_are_dropped() -> None:
    files = {"config/agents.yaml": b"a: {role: caf\xe9 host, tools: [t]}"}
    (config,) = SOURCE.parse(Material(repo="r", files=files))
    assert isinstance(config, RawConfig)
    assert config.text == "Role: caf host"


def test_equal_role_and_tools_are_one_record_over_all_repositories() -> None:
    rows = (
        "a: {role: Scout, goal: one, tools: [x, y]}\n"
        "b: {role: scout, goal: two, tools: [y, x]}\n"
        "c: {role: Scout, tools: [x]}\n"
    )
    parsed = [
        entry for entry in SOURCE.parse(_material(agents=rows)) if isinstance(entry, RawConfig)
    ]
    selected = list(SOURCE.select([*parsed, *parsed]))
    kept = [entry.instance_id for entry in selected if isinstance(entry, RawConfig)]
    assert kept == ["crewai-0001", "crewai-0002"]
    assert sum(isinstance(entry, Skipped) for entry in selected) == 4


def test_no_more_records_than_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_RECORDS == 300
    monkeypatch.setattr(crewai, "MAX_RECORDS", 2)
    rows = "".join(f"a{n}: {{role: r{n}, tools: [x]}}\n" for n in range(4))
    parsed = [
        entry for entry in SOURCE.parse(_material(agents=rows)) if isinstance(entry, RawConfig)
    ]
    reasons = [e.reason for e in SOURCE.select(parsed) if isinstance(e, Skipped)]
    assert reasons == ["beyond 2 records"] * 2


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param("def f():\n Agent(tools=[A(), b, c.d, 'E'])", "A b d E", id="list"),
        pytest.param("def f():\n Agent(tools=(A(), b))", "A b", id="tuple"),
        pytest.param("def f():\n Agent(tools=[A()] + [b] + more)", "A b more", id="sum"),
        pytest.param("ts = [A(), B()]\ndef f():\n Agent(tools=ts)", "A B", id="name of a list"),
        pytest.param("ts = [A()]\ndef f():\n Agent(tools=[ts, C()])", "A C", id="list in a list"),
        pytest.param("t = A()\ndef f():\n Agent(tools=[t])", "A", id="name of a call"),
        pytest.param("t = a.b.C\ndef f():\n Agent(tools=[t])", "C", id="name of an attribute"),
        pytest.param("t: T = A()\ndef f():\n Agent(tools=[t])", "A", id="annotated"),
        pytest.param(
            "def f(self):\n Agent(tools=[self.t])\ndef g(self):\n self.t = A()", "A", id="self"
        ),
        pytest.param("def f():\n Agent(tools=get_tools())", "get_tools", id="call"),
        pytest.param("def f():\n Agent(tools='one')", "one", id="string"),
        pytest.param(
            "from x import Real as R\ndef f():\n Agent(tools=[R(), R])", "Real", id="alias"
        ),
        pytest.param(
            "from crewai import Agent as Worker\ndef f():\n Worker(tools=[A()])",
            "A",
            id="agent alias",
        ),
        pytest.param("import crewai\ndef f():\n crewai.Agent(tools=[A()])", "A", id="module"),
        pytest.param("async def f():\n Agent(tools=[A()])", "A", id="async"),
        pytest.param("t = A()\nt = B()\ndef f():\n Agent(tools=[t])", "B", id="last wins"),
        pytest.param(
            "def g():\n  t = A()\nt = B()\ndef f():\n Agent(tools=[t])", "A", id="breadth first"
        ),
        pytest.param(
            "def f():\n Agent(tools=[A()])\n Agent(tools=[B(), A()])", "A B", id="two agents"
        ),
        pytest.param("def f():\n Agent(tools=[x for x in y])", "", id="comprehension"),
        pytest.param("def f():\n Agent(tools=[*ts])", "", id="star"),
        pytest.param("def f():\n Agent(tools=a if b else c)", "", id="conditional"),
        pytest.param("def f():\n Agent(tools=ts['a'])", "", id="subscript"),
        pytest.param("def f():\n Agent(tools=[ts['a'], A()])", "A", id="subscript in a list"),
        pytest.param("def f():\n Task(tools=[A()])", "", id="no agent"),
        pytest.param("def f():\n Agent(role='r')", "", id="no tools"),
    ],
)
def test_what_the_python_of_a_crew_gives(code: str, expected: str) -> None:
    assert roster(code) == tuple(expected.split())


def test_an_agent_outside_a_function_gives_nothing() -> None:
    assert rosters(b"agent = Agent(config=c['k'], tools=[A()])", "crew.py") == {}


def test_an_agent_is_filed_under_its_function_and_its_config_key() -> None:
    code = b"def f(self):\n return Agent(config=self.agents_config['writer'], tools=[A()])"
    assert rosters(code, "crew.py") == {"f": ("A",), "writer": ("A",)}


def test_an_agent_belongs_to_the_innermost_function() -> None:
    code = b"def outer():\n def inner():\n  return Agent(tools=[A()])\n return inner"
    assert rosters(code, "crew.py") == {"inner": ("A",)}


def test_reading_python_runs_none_of_it(tmp_path: pytest.TempPathFactory) -> None:
    mark = f"{tmp_path}/ran"
    code = f"open({mark!r}, 'w')\ndef f(x=open({mark!r}, 'w')):\n Agent(tools=[A()])\nf()"
    assert roster(code) == ("A",)
    with pytest.raises(FileNotFoundError):
        open(mark).close()  # noqa: PTH123 - the same call as in the code above


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(b"def f(:", id="syntax"),
        pytest.param(b"\x00", id="null byte"),
        pytest.param("def f(): pass".encode("utf-16"), id="wrong encoding"),
        pytest.param(b"x = " + b"(" * 5000, id="brackets"),
        pytest.param(
            b"x = " + b"[" * 90 + b"]" * 90 + b"\ny = " + b"-" * 20_000 + b"1", id="signs"
        ),
        pytest.param(b"x = " + b"a." * 50_000 + b"b", id="attributes"),
        pytest.param(b"#" * 600_000, id="too large"),
    ],
)
def test_python_that_cannot_be_read_is_refused_by_name(code: bytes) -> None:
    with pytest.raises(SourceError, match=r"^crew\.py: "):
        rosters(code, "crew.py")


def test_bytes_of_python_that_are_no_text_are_dropped() -> None:
    code = b"\xef\xbb\xbf# caf\xe9\ndef f():\n Agent(tools=[A()])"
    assert rosters(code, "crew.py") == {"f": ("A",)}


def test_lists_of_lists_do_not_multiply() -> None:
    lines = ["t0 = [A(), B()]"] + [f"t{n} = [t{n - 1}, t{n - 1}]" for n in range(1, 200)]
    assert roster("\n".join(lines) + "\ndef f():\n Agent(tools=t199)") == ("A", "B")


def test_warnings_about_the_code_of_others_stay_silent() -> None:
    assert roster("x = '\\d' is 1\ndef f():\n Agent(tools=[A()])") == ("A",)
