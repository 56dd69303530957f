"""Tools that servers of the Model Context Protocol list."""

from catchkit.builders.source import Origin, Source, repository_of


def _group(origin: Origin) -> str:
    return repository_of(origin.repo)


SOURCE = Source(
    name="mcp",
    title="Tools listed by public MCP servers",
    url="https://registry.modelcontextprotocol.io",
    pin="a fixed list of registry names, listed live on one day",
    label_process="llm_judge",
    license_rule="the licence the server's repository declares; the listing itself states none",
    wants=lambda _: False,
    parse=lambda _: iter(()),
    group=_group,
    group_rule="The repository, since one project often registers several servers.",
)
