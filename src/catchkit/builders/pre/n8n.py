"""AI-agent workflows of the n8n template gallery."""

from catchkit.builders.source import Origin, Source


def _group(origin: Origin) -> str:
    return origin.instance_id


SOURCE = Source(
    name="n8n",
    title="AI-agent workflows of the n8n template gallery",
    url="https://n8n.io/workflows",
    pin="a frozen list of template ids; the templates themselves can change",
    label_process="llm_judge",
    license_rule="NOASSERTION: the gallery declares no licence",
    group=_group,
    group_rule="The template; each gives one row.",
)
