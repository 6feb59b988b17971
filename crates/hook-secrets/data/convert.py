"""Converts two public lists of secrets into `rules.tsv`.

    python3 convert.py GITLEAKS@COMMIT KINGFISHER@COMMIT > rules.tsv

Each is a folder with the repository at that commit. Needs Python 3.11 and PyYAML.

Both lists look for leaks in source code and must not cry wolf, so they ask for each character of a token. A record must not
hold a secret whose maker has changed its length, so that a rule becomes what marks the token: the literal text it begins with,
and how many characters follow at least. Where nothing marks the token itself, the word that must stand before it and the
pattern of the value are kept as they are.
"""

import pathlib
import re
import sys
import tomllib

import yaml

try:
    from re import _parser as sre
except ImportError:
    import sre_parse as sre

# Kinds that a record names by family: the beginning of a rule's name, and the kind.
FAMILIES = {
    "github-": "github-token",
    "gitlab-": "gitlab-token",
    "slack-": "slack-token",
    "stripe-": "stripe-key",
    "anthropic-": "model-key",
    "openai-": "model-key",
    "npm-": "package-token",
    "pypi-": "package-token",
    "docker-": "package-token",
    "huggingface-": "package-token",
    "hashicorp-vault-": "vault-token",
    "vault-": "vault-token",
    "gcp-api-key": "google-key",
    "google-": "google-token",
    "aws-access-token": "aws-key",
    "age-": "private-key",
    "telegram-": "telegram-token",
}
# What the crate finds by its structure, and what is no secret.
LEFT_OUT = re.compile(
    r"^(private-key|curl-auth|jwt|kubernetes-secret|generic-api-key|nuget-|pkcs12|pem-|sidekiq-sensitive|aws-access-token"
    r"|json-web|authorization|http-basic|uri-|mongodb|postgres|mysql|jdbc|ftp|redis|.*-(user-id|public-key|pub-key)$"
    r"|.*(publishable|public|client-id|account-sid|endpoint|domain|email|project|username).*$"
    r"|aws-access-key-id|contains-|password-hash|hashicorp-tf-password|oa2|blynk|checio|column-|shutterstock|zoho-|gocardless|close-crm"
    r"|sourcegraph-access-token|vault-service-token|twilio-api-key|mailgun-private|organization-client)"
)
SEPARATORS = set("_-.~/:!")
MOST_ALTERNATIVES = 24


def plain(pattern):
    """The pattern in the words of Python, in one case."""
    pattern = re.sub(r"\(\?[a-z]+\)|\(\?-[a-z]+\)", "", pattern)
    pattern = re.sub(r"\(\?-?[a-z]+:", "(?:", pattern)
    pattern = re.sub(r"\(\?<(?=[A-Za-z])", "(?P<", pattern)
    return pattern.replace(r"\z", r"\Z").replace("[[:alnum:]]", "[0-9A-Za-z]")


def characters(members):
    """The characters of a class; nothing where it is a negated one."""
    found = set()
    for op, value in members:
        if op is sre.LITERAL:
            found.add(chr(value))
        elif op is sre.RANGE:
            found |= {chr(code) for code in range(value[0], min(value[1], 126) + 1)}
        elif op is sre.CATEGORY and value is sre.CATEGORY_DIGIT:
            found |= set("0123456789")
        elif op is sre.CATEGORY and value is sre.CATEGORY_WORD:
            found |= set("0aA_")
        else:
            return None
    return found


def prefixes(items):
    """The literal texts that a pattern begins with, and whether each of them is the whole pattern."""
    done, open_ = [], [""]
    for op, value in items:
        if op is sre.AT:
            continue
        if op is sre.LITERAL:
            open_ = [text + chr(value) for text in open_]
            continue
        if op is sre.IN:
            few = characters(value)
            if few and len(few) <= 8:
                open_ = [text + one for text in open_ for one in sorted(few)]
                continue
            break
        if op is sre.SUBPATTERN:
            value = [list(value[3])]
        elif op is sre.BRANCH:
            value = [list(branch) for branch in value[1]]
        elif op is sre.MAX_REPEAT and value[:2] == (0, 1):
            value = [[], list(value[2])]
        else:
            break
        ends, goes_on = [], []
        for branch in value:
            stopped, whole = prefixes(branch)
            ends += [text + end for text in open_ for end in stopped]
            goes_on += [text + end for text in open_ for end in whole]
        done += ends
        open_ = goes_on
        if not open_ or len(open_) + len(done) > MOST_ALTERNATIVES:
            break
    else:
        return done, open_
    return done + open_, []


def body(items, into):
    """The characters that a pattern may hold."""
    for op, value in items:
        if op is sre.LITERAL:
            into.add(chr(value))
        elif op is sre.IN:
            into |= characters(value) or set()
        elif op is sre.SUBPATTERN:
            body(value[3], into)
        elif op is sre.BRANCH:
            for branch in value[1]:
                body(branch, into)
        elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            body(value[2], into)
    return into


def secret(tree):
    """The first group of a pattern, which is the secret, or the whole."""
    for op, value in tree:
        if op is sre.SUBPATTERN and value[0] is not None:
            return list(value[3])
        if op is sre.SUBPATTERN or op is sre.BRANCH:
            inner = value[3] if op is sre.SUBPATTERN else [item for branch in value[1] for item in branch]
            found = secret(inner)
            if found:
                return found
    return None


def is_mark(prefix):
    # JSON web tokens are found by their structure.
    if len(set(prefix)) < 2 or re.search(r"\s|https?:|^(?:\d+|www|launchdarkly)$|^eyJ[^r]|bearer|curl", prefix, re.I):
        return False
    separated = bool(set(prefix) & SEPARATORS)
    mixed = re.search(r"[A-Z]", prefix) or re.search(r"\d", prefix)
    return len(prefix) >= (3 if separated or not mixed else 4)


def relaxed(prefix, least):
    """How many characters a record asks for. A mark that may begin something else is looked at more strictly."""
    if re.match(r"v?\d[\d.]*[-.]?$|secret_$|[0-9a-f]+$", prefix):
        return least
    is_plain = len(prefix) >= 5 and set(prefix) & SEPARATORS
    return min(least, 16) if is_plain else min(least, max(16, least * 2 // 3))


def by_prefix(pattern):
    tree = sre.parse(plain(pattern), re.X if re.match(r"\(\?[a-z]*x", pattern) else 0)
    whole = list(tree)
    for items in (secret(whole) or whole, whole):
        done, open_ = prefixes(items)
        found = sorted(set(done + open_))
        # Before the group, a mark is what ends with its own sign: `nvapi-`, and not the name of a maker.
        is_close = items is not whole or secret(whole) is None
        marks = (is_mark(text) and (is_close or re.search(r"^[a-z]{4}.*[-_]$", text)) for text in found)
        if found and len(found) <= MOST_ALTERNATIVES and all(marks):
            break
    else:
        return []
    least = sre.SubPattern(tree.state, items).getwidth()[0]
    extra = "".join(sorted(body(items, set()) & set("+/=.~:!")))
    # A prefix of another one says the same and more.
    return [
        (text, least - len(text), extra)
        for text in found
        if not any(other != text and text.startswith(other) for other in found)
    ]


CONTEXT = re.compile(
    r"^(?:\(\?i\))?\[\\w\.-\]\{0,50\}\?(?:\(\?i:\[\\w\.-\]\{0,50\}\?)?\(\?:(?P<word>.*?)\)\(\?:\[ \\t\\w\.-\]\{0,20\}\)"
    r".*?\[\\x60'\"\\s=\]\{0,5\}\((?P<value>.*?)\)\(\?:\[\\x60'\"\\s;\]\|\\\\\[nr\]\|\$\)"
)


def words(pattern):
    """The texts, in lower case, of which one stands before the value."""
    try:
        found, whole = prefixes(list(sre.parse(plain(pattern))))
    except re.error:
        return []
    return sorted({text.lower().strip(" -_.,") for text in found + whole if len(text) > 3})


def family(name):
    return next((kind for start, kind in FAMILIES.items() if name.startswith(start)), name)


def gitleaks(root):
    for rule in tomllib.loads((root / "config/gitleaks.toml").read_text())["rules"]:
        if "regex" in rule:
            yield rule["id"], rule["regex"], rule.get("entropy", 0), rule.get("keywords", [])


def kingfisher(root):
    for path in sorted((root / "data/rules").glob("*.yml")):
        for rule in yaml.safe_load(path.read_text())["rules"]:
            if rule.get("confidence") == "low":
                continue
            name = re.sub(r"[^a-z0-9]+", "-", rule["name"].lower()).strip("-")
            yield name, rule["pattern"], rule.get("min_entropy", 0), []


def main():
    lists = zip(("gitleaks", "kingfisher"), sys.argv[1:], (gitleaks, kingfisher), strict=True)
    print("# Made by convert.py from two public lists, of which NOTICE has the licences; not edited by hand.")
    rows, seen = [], set()
    for name, argument, rules in lists:
        root, commit = argument.rsplit("@", 1)
        print(f"# {name} {commit}")
        for rule, pattern, entropy, keywords in rules(pathlib.Path(root)):
            if LEFT_OUT.search(rule):
                continue
            kind = family(rule)
            context = CONTEXT.match(pattern)
            try:
                found = by_prefix(context["value"] if context else pattern)
            except (re.error, RecursionError) as error:
                print(f"{rule}: {error}", file=sys.stderr)
                continue
            # A second way to find the same: a token that has a mark.
            if context and "|\\b(" in pattern[context.end() :]:
                found += by_prefix(pattern[context.end() :].lstrip("|"))
            for prefix, least, extra in found:
                if least > 0 and prefix not in seen:
                    seen.add(prefix)
                    rows.append(("prefix", kind, prefix, str(relaxed(prefix, least)), extra))
            if not found and not context and name == "gitleaks":
                for keyword in keywords:
                    rows.append(("pattern", kind, keyword, pattern.replace(r"\x60", "`"), str(entropy)))
            if not found and context and name == "gitleaks":
                # Numbers, digests and UUIDs are no secrets unless a name says so.
                if body(list(sre.parse(plain(context["value"]))), set()) <= set("0123456789abcdefABCDEF-"):
                    continue
                for word in words(context["word"]):
                    rows.append(("context", kind, word, context["value"].replace(r"\x60", "`"), str(entropy)))
    for row in sorted(rows):
        print("\t".join(row))


if __name__ == "__main__":
    main()
