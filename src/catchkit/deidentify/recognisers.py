"""What the second opinion looks for: few kinds, chosen to differ from the seven patterns."""

import ipaddress
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

SEPARATORS = str.maketrans("", "", " -")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recogniser:
    """One kind of identifier: a pattern and a check of what it matches."""

    entity: str
    pattern: re.Pattern[str]
    check: Callable[[str], bool] | None = None
    """Whether a match is one; ``None`` where the pattern decides."""

    found: tuple[str, ...]
    left: tuple[str, ...]

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where the matches that pass the check stand, from left to right."""
        for match in self.pattern.finditer(text):
            if self.check is None or self.check(match[0]):
                yield match.span()

    def replace(self, text: str, stand_in: Callable[[str], str]) -> str:
        """Return a text with each match that passes the check exchanged."""

        def exchange(match: re.Match[str]) -> str:
            passes = self.check is None or self.check(match[0])
            return stand_in(match[0]) if passes else match[0]

        return self.pattern.sub(exchange, text)


def is_card_number(text: str) -> bool:
    """Whether the digits pass the Luhn checksum.

    Example:
        >>> is_card_number("4111 1111 1111 1111"), is_card_number("4111 1111 1111 1112")
        (True, False)
    """
    figures = [int(figure) for figure in text.translate(SEPARATORS)][::-1]
    doubled = (sum(divmod(2 * figure, 10)) for figure in figures[1::2])
    return (sum(figures[::2]) + sum(doubled)) % 10 == 0


def is_iban(text: str) -> bool:
    """Whether the check digits of a bank account number are right.

    Example:
        >>> is_iban("GB82 WEST 1234 5698 7654 32"), is_iban("GB83 WEST 1234 5698 7654 32")
        (True, False)
    """
    plain = text.translate(SEPARATORS)
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


def is_host_address(text: str) -> bool:
    """Whether it is an IP address that can belong to someone.

    Example:
        >>> [is_host_address(text) for text in ("8.8.8.8", "10.1.2.3", "127.0.0.1", "a::b")]
        [True, True, False, False]
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return not address.is_loopback and any(char.isdigit() for char in address.compressed)


def has_other_letters(text: str) -> bool:
    """Whether there is a character outside ASCII, which the patterns for paths do not know."""
    return not text.isascii()


# A pattern that begins with a character and looks behind it is several times as fast as one that
# looks behind every character first.
RECOGNISERS = (
    Recogniser(
        entity="mail address",
        pattern=re.compile(r"(?<![\w.+%'-])[\w.+%'-]++@(?:[\w-]{1,63}\.)+\w{2,}"),
        found=("a@b.com", "ada@b.com.", "józef@żółw.pl", "o'neil@x.co_"),
        left=("a@localhost", "@scope/pkg"),
    ),
    Recogniser(
        entity="web address",
        pattern=re.compile(r"""(?i)\b(?:https?|ftp|sftp|ssh|mailto|tel|file)://?[^\s<>"']+"""),
        found=("ftp://x.y/z", "mailto:/ada", "_ https://x"),
        left=("http error",),
    ),
    Recogniser(
        entity="profile address",
        pattern=re.compile(
            r"(?i)(?<![\w-])(?:linkedin\.com/in|github\.com|gitlab\.com|twitter\.com|x\.com|t\.me"
            r"|instagram\.com|facebook\.com|tiktok\.com|medium\.com|youtube\.com|wa\.me)/@?[\w.-]+"
        ),
        found=("linkedin.com/in/ada", "t.me/ada_l", "github.com/ada"),
        left=("netx.com/ada", "github.com"),
    ),
    Recogniser(
        entity="home folder",
        pattern=re.compile(r"/(?<![\w.-]/)(?i:home|users)/[\w.-]+|\\{1,2}(?i:users)\\{1,2}[\w.-]+"),
        found=("/home/ada", "/Users/ada", "C:\\Users\\ada", "C:\\\\Users\\\\ada"),
        left=("/homes/ada", "api/users/ada", "/home"),
    ),
    Recogniser(
        entity="handle",
        pattern=re.compile(r"@(?<![\w@/.]@)[^\W\d_][\w.-]++(?!/)"),
        found=("@ada_l", "@józef", "@東京"),
        left=("@scope/pkg", "a@b", "@1"),
    ),
    Recogniser(
        entity="phone number",
        pattern=re.compile(r"(?<![\w.])(?:\+|00)[1-9](?:[ ./()-]{0,2}\d){7,14}(?!\w)"),
        found=("+49 30/1234567", "0049 (30) 123-4567"),
        left=("+1234", "1/2/3"),
    ),
    Recogniser(
        entity="phone extension",
        pattern=re.compile(r"(?<!\w)(?:\d[ .()-]{0,2}){7,15}(?:x|ext\.?) ?\d{1,6}(?!\w)"),
        found=("555-641-1410x712", "(555) 105-7284 ext. 52"),
        left=("1920x1080", "2x3"),
    ),
    Recogniser(
        entity="domain",
        pattern=re.compile(
            r"(?i)(?<![\w.@/-])(?:[^\W_][\w-]{0,62}\.)+(?:com|net|org|info|biz)(?![\w-]|\.\w)"
        ),
        found=("lovelace.net", "mail.lovelace.com"),
        left=("README.md", "os.system", "a.community", "net.org.x"),
    ),
    Recogniser(
        entity="path in other letters",
        pattern=re.compile(
            r"(?<![\w.~+%/-])(?:[\w.~+%-]{1,255}+/){1,40}+[\w~+%-]{0,255}(?:\.[\w~+%-]{1,20})+"
        ),
        check=has_other_letters,
        found=("ada/\u0441\u043b\u043e\u0432\u043e.png", "b\u00fcro/a.b.c"),
        left=("and/or", "a.b", "1/2", "ada/plan.txt"),
    ),
    Recogniser(
        entity="IP address",
        pattern=re.compile(
            r"(?<![\w.:-])(?:\d{1,3}(?:\.\d{1,3}){3}|(?=\w{0,4}:)[0-9A-Fa-f:]{2,39}+)"
            r"(?![\w:-]|\.\w)"
        ),
        check=is_host_address,
        found=("192.168.0.7", "2001:db8::1"),
        left=("1.2.3", "999.1.1.1", "127.0.0.1", "12:30", "a::z", "fade::cafe"),
    ),
    Recogniser(
        entity="card number",
        pattern=re.compile(r"\d(?<![\w-]\d)(?:\d{3}[ -]?(?:\d{4}[ -]?){2}\d{1,7}|\d{14})(?![\w-])"),
        check=is_card_number,
        found=("4111 1111 1111 1111", "378282246310005"),
        left=("4111 1111 1111 1112",),
    ),
    Recogniser(
        entity="bank account",
        pattern=re.compile(
            r"[A-Z](?<!\w[A-Z])[A-Z]\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?!\w)"
        ),
        check=is_iban,
        found=("GB82WEST12345698765432", "DE89 3704 0044 0532 0130 00"),
        left=("GB83WEST12345698765432", "AB12 NOTHING"),
    ),
    Recogniser(
        entity="secret",
        pattern=re.compile(
            r"(?<!\w)(?:sk-(?=[\w-]{0,40}\d)[\w-]{20,}|gh[opsu]_[A-Za-z0-9]{30,}"
            r"|github_pat_\w{30,}|hf_[A-Za-z0-9]{30,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}"
            r"|AIza[\w-]{35}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+)"
            r"|-----BEGIN [A-Z ]*PRIVATE KEY-----"
        ),
        found=("sk-" + "a1" * 12, "ghp_" + "a1" * 16, "AKIA" + "A1" * 8, "hf_" + "a1" * 16),
        left=("sk-learn", "sk-learn-like-interfaces-for-all", "task-" + "a1" * 12, "hf_hub"),
    ),
)
