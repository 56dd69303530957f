"""Tool pairings of the InjecAgent benchmark."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from pathlib import PurePosixPath
from typing import Any

from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.permissions import Rule, classify, words
from catchkit.builders.places import Place
from catchkit.builders.source import Origin, Source
from catchkit.builders.untrusted import read_json
from catchkit.errors import SourceError
from catchkit.schema import Capability
from catchkit.seeds import opaque

PIN = "f19c9f2c79a41046eb13c03c51a24c567a8ffa07"
TOOLS = "tools.json"
CASES = tuple(
    f"test_cases_{attack}_{setting}.json"
    for setting in ("base", "enhanced")
    for attack in ("dh", "ds")
)
"""In the order in which the first case of a roster is looked for."""

CASES_PER_USER_TOOL = 20

TYPES: Mapping[str, str] = {
    "Amazon": "ecommerce",
    "AugustSmartLock": "smart_lock",
    "BankManager": "banking",
    "Binance": "crypto_exchange",
    "CiscoUmbrella": "network_security",
    "DeepfakeGenerator": "media_generation",
    "Dropbox": "cloud_storage",
    "EmergencyDispatchSystem": "emergency_dispatch",
    "EpicFHIR": "health_records",
    "EthereumManager": "blockchain",
    "EvernoteManager": "notes",
    "Expedia": "travel",
    "FacebookManager": "social_media",
    "FedExShipManager": "shipping",
    "GitHub": "code_hosting",
    "Gmail": "email",
    "GoogleCalendar": "calendar",
    "GoogleHome": "smart_home",
    "GoogleMap": "maps",
    "GoogleSearch": "web_search",
    "IndoorRobot": "robotics",
    "InvestmentManager": "investing",
    "NortonIdentitySafe": "identity_safe",
    "Shopify": "commerce",
    "Slack": "chat",
    "Spokeo": "people_search",
    "TDAmeritrade": "brokerage",
    "Teladoc": "healthcare",
    "Terminal": "shell",
    "The23andMe": "genetic_data",
    "Todoist": "tasks",
    "TrafficControl": "traffic_control",
    "Twilio": "sms",
    "TwitterManager": "social_media",
    "Venmo": "payments",
    "WebBrowser": "browser",
}
"""Capability type of each toolkit; another toolkit gives its own name."""

LEVELS = (
    Rule("execute", "toolkit", words("Terminal")),
    Rule(
        "network",
        "name",
        words(
            "WebBrowserClickElement WebBrowserGetElementsDetails WebBrowserInputText "
            "WebBrowserNavigateTo WebBrowserRetrieveElements"
        ),
    ),
    Rule("network", "toolkit searching now", words("GoogleSearch")),
    Rule(
        "network",
        "action",
        words("SendEmail SendInvitations SendMessage SendSms ShareData SharePassword"),
    ),
    Rule("network", "summary sends", words("email sms message")),
    Rule(
        "write",
        "word",
        words(
            "add apply auto book call cancel clear compile consult control create delete deposit "
            "deploy disable draft edit enable export fill follow generate give grant handle hand "
            "import join leave like lock make manage manipulate modify move order pay place post "
            "redirect remove reply request retweet revoke schedule set share sign store trade "
            "transfer unblock unfollow unlike unlock update upload withdraw"
        ),
    ),
    Rule(
        "read",
        "word",
        words(
            "access analyze check download estimate find get list look monitor predict read "
            "retrieve reverse search track verify view"
        ),
    ),
)

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SENDS = re.compile(r"\bsends? an? (email|sms|message)\b", re.IGNORECASE)


def _wants(path: str) -> bool:
    return PurePosixPath(path).name in (TOOLS, *CASES)


def _parse(material: Material) -> Iterator[Parsed]:
    """Yield one configuration per test case, in file order; ``_select`` numbers what it keeps."""
    try:
        tools = _tools(material)
    except SourceError as problem:
        yield Skipped(TOOLS, "tool list unreadable", str(problem))
        return
    for name in CASES:
        for path, data in material.named(name):
            try:
                cases = read_json(data, str(path))
            except SourceError as problem:
                yield Skipped(str(path), "file unreadable", str(problem))
                continue
            for at, case in enumerate(cases if isinstance(cases, list) else [cases]):
                yield _config(case, f"{path}#{at}", name, tools, material)


def _tools(material: Material) -> dict[str, Capability]:
    """Return every tool of every toolkit by its full name."""
    path, data = next(material.named(TOOLS), (None, b""))
    if path is None:
        raise SourceError(f"{material.repo} holds no {TOOLS}")
    listed = read_json(data, str(path))
    try:
        return {
            toolkit["name_for_model"] + tool["name"]: _capability(toolkit, tool)
            for toolkit in listed
            for tool in toolkit["tools"]
        }
    except (KeyError, TypeError, AttributeError):
        raise SourceError(f"{path}: not a list of toolkits with their tools") from None


def _capability(toolkit: Mapping[str, Any], tool: Mapping[str, Any]) -> Capability:
    family, action, summary = toolkit["name_for_model"], tool["name"], tool["summary"]
    found = [word.lower() for word in _WORD.findall(action)]
    evidence = {
        "toolkit": {family},
        "toolkit searching now": {family} if "history" not in found else frozenset(),
        "name": {family + action},
        "action": {action},
        "summary sends": {word.lower() for word in _SENDS.findall(summary)},
        "word": frozenset(found),
    }
    return Capability(
        name=family + action,
        type=TYPES.get(family, "_".join(word.lower() for word in _WORD.findall(family))),
        permission_level=classify(evidence, LEVELS, default="unknown"),
    )


def _config(
    case: Any,  # noqa: ANN401 - untrusted JSON
    where: str,
    file: str,
    tools: Mapping[str, Capability],
    material: Material,
) -> Parsed:
    try:
        user_tool, attackers = case["User Tool"], tuple(case["Attacker Tools"])
        text, attack_type = case["User Instruction"], case["Attack Type"]
        named = [user_tool, *attackers]
        shaped = isinstance(text, str) and isinstance(attack_type, str)
        unknown = [name for name in named if name not in tools]
    except (KeyError, TypeError):
        return Skipped(where, "not a test case")
    if not shaped:
        return Skipped(where, "not a test case")
    if unknown:
        return Skipped(where, "tool not in the tool list", str(unknown[0]))
    if user_tool in attackers:
        return Skipped(where, "user tool is an attacker tool")
    if len(set(attackers)) < len(attackers) or not attackers:
        return Skipped(where, "attacker tools missing or repeated")
    return RawConfig(
        instance_id=where,
        text=text,
        capabilities=tuple(tools[name] for name in named),
        needed=(user_tool,),
        attack_type=attack_type,
        repo=material.repo,
        commit=material.commit,
        path=f"data/{file}",
        license=material.license,
    )


def _select(configs: Iterable[RawConfig]) -> Iterator[Parsed]:
    """Keep the first case per roster, then up to twenty per user tool, and number them.

    The twenty are taken in turn from the attack types, so that none crowds out the others.
    """
    firsts: dict[tuple[str, ...], RawConfig] = {}
    for config in configs:
        if config is firsts.setdefault(_roster(config), config):
            continue
        yield Skipped(config.instance_id, "roster seen before")
    families: dict[str, list[RawConfig]] = defaultdict(list)
    for config in firsts.values():
        families[config.capabilities[0].name].append(config)
    chosen = [in_turn(families[user_tool]) for user_tool in sorted(families)]
    for config in chain.from_iterable(family[CASES_PER_USER_TOOL:] for family in chosen):
        yield Skipped(config.instance_id, f"beyond {CASES_PER_USER_TOOL} cases of its user tool")
    kept = chain.from_iterable(family[:CASES_PER_USER_TOOL] for family in chosen)
    for number, config in enumerate(kept, start=1):
        yield replace(config, instance_id=f"injecagent-{number:04d}")


def in_turn(configs: Sequence[RawConfig]) -> list[RawConfig]:
    """Return the cases of one user tool, one of each attack type in turn, both in sorted order."""
    by_attack: dict[str, list[RawConfig]] = defaultdict(list)
    for config in sorted(configs, key=lambda c: (c.attack_type or "", _roster(c))):
        by_attack[config.attack_type or ""].append(config)
    rounds = zip_longest(*(by_attack[attack] for attack in sorted(by_attack)))
    return [config for config in chain.from_iterable(rounds) if config is not None]


def _roster(config: RawConfig) -> tuple[str, ...]:
    return tuple(sorted(capability.name for capability in config.capabilities))


def _places() -> Sequence[Place]:
    archive = f"https://codeload.github.com/uiuc-kang-lab/InjecAgent/zip/{PIN}"
    return [Place(where=archive, repo="uiuc-kang-lab/InjecAgent", commit=PIN)]


def _group(origin: Origin) -> str:
    (user_tool,) = origin.needed
    return f"user-tool-{opaque('injecagent user tool', user_tool)}"


SOURCE = Source(
    name="injecagent",
    title="InjecAgent test cases: a user tool beside attacker tools",
    url="https://github.com/uiuc-kang-lab/InjecAgent",
    pin=PIN,
    label_process="roster_relabel",
    license_rule="MIT, the licence of the repository",
    wants=_wants,
    parse=_parse,
    select=_select,
    places=_places,
    group=_group,
    group_rule=(
        "The user tool, under a label that does not spell it out: the user tool is the one "
        "needed capability, so its name would be the answer."
    ),
)
