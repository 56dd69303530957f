"""SWE-agent runs on SWE-bench Lite."""

from catchkit.builders.source import Origin, Source


def _group(origin: Origin) -> str:
    owner_and_name, _, _ = origin.instance_id.rpartition("-")
    return owner_and_name.replace("__", "/")


SOURCE = Source(
    name="sweagent",
    title="Commands declared to SWE-agent on SWE-bench Lite",
    url="https://github.com/swe-bench/experiments",
    pin="submission 20240728_sweagent_gpt4o, a label and not a revision",
    label_process="declared_minus_used",
    license_rule="NOASSERTION: the submission declares no licence",
    wants=lambda _: False,
    parse=lambda _: iter(()),
    group=_group,
    group_rule=(
        "The repository of the SWE-bench instance. All rosters are one list of commands, so no "
        "split can keep rosters apart."
    ),
)
