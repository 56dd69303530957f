"""Tool pairings of the InjecAgent benchmark."""

from catchkit.builders.source import Origin, Source
from catchkit.seeds import opaque


def _group(origin: Origin) -> str:
    (user_tool,) = origin.needed
    return f"user-tool-{opaque('injecagent user tool', user_tool)}"


SOURCE = Source(
    name="injecagent",
    title="InjecAgent test cases: a user tool beside attacker tools",
    url="https://github.com/uiuc-kang-lab/InjecAgent",
    pin="f19c9f2c79a41046eb13c03c51a24c567a8ffa07",
    label_process="roster_relabel",
    license_rule="MIT, the licence of the repository",
    group=_group,
    group_rule=(
        "The user tool, under a label that does not spell it out: the user tool is the one "
        "needed capability, so its name would be the answer."
    ),
)
