"""Crews declared with the CrewAI framework in public repositories."""

from catchkit.builders.source import Origin, Source, repository_of


def _group(origin: Origin) -> str:
    return repository_of(origin.repo)


SOURCE = Source(
    name="crewai",
    title="CrewAI agents declared in public repositories",
    url="https://github.com/crewAIInc/crewAI",
    pin="a fixed list of repositories, each at a commit",
    label_process="llm_judge",
    license_rule="the licence the repository declares",
    wants=lambda _: False,
    parse=lambda _: iter(()),
    group=_group,
    group_rule="The repository, since the agents of one crew share tools and wording.",
)
