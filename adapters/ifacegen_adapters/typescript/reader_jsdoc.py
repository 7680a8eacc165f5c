"""Types that JavaScript states in its comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from ifacegen_adapters.typescript.facts import Fact, ParameterFact, Text
from ifacegen_adapters.typescript.grammar import parse
from ifacegen_adapters.typescript.reader_text import Texts, join, separated

if TYPE_CHECKING:
    from ifacegen.model import ParameterKind

_TAG = re.compile(r"^[ \t]*@(\w+)[ \t]*", re.MULTILINE)
_NAME = re.compile(r"\[\s*([\w$.]+)\s*(?:=\s*([^\]]*?)\s*)?\]|([\w$.]+)")
#: What the compiler takes names for that JavaScript's comments have used ever since.
_SPELLED = {
    "*": "any", "?": "any", "Object": "any", "String": "string", "Number": "number",
    "Boolean": "boolean", "Array": "any[]", "array": "any[]", "Promise": "Promise<any>", "function": "Function",
    "Void": "void", "Undefined": "undefined", "Null": "null", "int": "number", "integer": "number", "float": "number",
}  # fmt: skip
_GENERIC_DOT = re.compile(r"\.<")
_OBJECT_OF = re.compile(r"^Object<([^,<>]+),\s*(.+)>$")
_FUNCTION = re.compile(r"\bfunction\s*\(([^()]*)\)(?:\s*:\s*([\w$.\[\]<>| ]+))?")
_WORD = re.compile(r"(?<![\w$.\"'])(?:String|Number|Boolean)(?![\w$.\"'(<])")


class _Tag(NamedTuple):
    name: str
    #: What stands in braces; None without them.
    type: str | None
    rest: str


@dataclass(frozen=True, slots=True)
class JsDoc:
    """What the comment above something says about its types."""

    parameters: tuple[ParameterFact, ...] = ()
    returns: Text | None = None
    type: Text | None = None
    type_params: Text | None = None
    template_names: tuple[str, ...] = ()
    implements: tuple[Text, ...] = ()
    access: str = ""

    def parameter(self, name: str, index: int = -1) -> ParameterFact | None:
        """What is said of a parameter; of a pattern, which has no name, by its place."""
        for each in self.parameters:
            if each.name == name:
                return each
        if not name.isidentifier() and 0 <= index < len(self.parameters):
            return self.parameters[index]
        return None


def read_jsdoc(doc: str) -> JsDoc:
    """The types in a comment's text."""
    tags = list(_tags(doc))
    names, type_params = _templates(tags)
    returns = type_ = None
    access = ""
    implements: list[Text] = []
    for tag in tags:
        if tag.name in ("returns", "return") and tag.type is not None:
            returns = type_text(tag.type, names)
        elif tag.name == "type" and tag.type is not None:
            type_ = type_text(tag.type, names)
        elif tag.name == "implements" and tag.type is not None:
            implements.extend(filter(None, (type_text(tag.type, names),)))
        elif tag.name in ("private", "protected"):
            access = tag.name
    parameters = tuple(_parameters(tags, "param", names))
    return JsDoc(parameters, returns, type_, type_params, names, tuple(implements), access)


def type_text(written: str, names: Sequence[str] = ()) -> Text | None:
    """A type as TypeScript has it, of names that are bound none a mention; None where it is no type."""
    spelled = _typescript(written.strip())
    fragment = f"type _ = {spelled};".encode()
    root = parse(fragment, ".ts")
    alias = root.children[0] if root.child_count == 1 else None
    value = alias.child_by_field_name("value") if alias is not None else None
    if root.has_error or alias is None or value is None:
        return None
    texts = Texts(fragment)
    texts.enter(alias, names)
    return texts.text(value)


def _typescript(written: str) -> str:
    """A type of Closure's as TypeScript spells it."""
    if written in _SPELLED:
        return _SPELLED[written]
    if written.startswith("..."):
        inner = _typescript(written[3:])
        return f"{inner}[]" if inner.isidentifier() else f"({inner})[]"
    if written.startswith("?"):
        return f"{_typescript(written[1:])} | null"
    if written.endswith("?") and len(written) > 1:
        return f"{_typescript(written[:-1])} | null"
    if written.startswith("!"):
        return _typescript(written[1:])
    if written.endswith("[]") and written[:-2] in _SPELLED:
        return f"{_SPELLED[written[:-2]]}[]"
    written = _GENERIC_DOT.sub("<", written)
    if found := _OBJECT_OF.match(written):
        return f"{{ [x: {_typescript(found[1].strip())}]: {_typescript(found[2].strip())} }}"
    written = _FUNCTION.sub(_arrow, written)
    if '"' not in written and "'" not in written:
        written = re.sub(r"\s*\|\s*", " | ", written)
    return _WORD.sub(lambda found: found[0].lower(), written)


def _arrow(found: re.Match[str]) -> str:
    """``(a: T) => U`` for ``function(T): U``."""
    types = [_typescript(each.strip()) for each in found[1].split(",") if each.strip()]
    listed = ", ".join(f"arg{index}: {each}" for index, each in enumerate(types))
    return f"(({listed}) => {_typescript(found[2].strip()) if found[2] else 'any'})"


# --- Tags -------------------------------------------------------------------------------------------------


def _tags(doc: str) -> Iterator[_Tag]:
    found = list(_TAG.finditer(doc))
    for index, tag in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(doc)
        type_, rest = _braced(doc[tag.end() : end].strip())
        yield _Tag(tag[1], type_, rest)


def _braced(text: str) -> tuple[str | None, str]:
    """What stands in the braces at the beginning of a text, and what stands behind them."""
    if not text.startswith("{"):
        return None, text
    depth = 0
    for index, char in enumerate(text):
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return text[1:index], text[index + 1 :].strip()
    return None, text


def _templates(tags: Sequence[_Tag]) -> tuple[tuple[str, ...], Text | None]:
    """Names that ``@template`` binds, and the type parameters that they are."""
    stated = [tag for tag in tags if tag.name == "template"]
    names: list[str] = []
    parts: list[tuple[str, str | None, str | None]] = []
    for tag in stated:
        listed = re.match(r"(?:const\s+)?(?:\[[^\]]*\]|[\w$]+)(?:\s*,\s*(?:\[[^\]]*\]|[\w$]+))*", tag.rest)
        for found in _NAME.finditer(listed[0] if listed else ""):
            name = found[1] or found[3]
            if name != "const":
                names.append(name)
                parts.append((name, tag.type, found[2]))
    shown: list[Text] = []
    for name, constraint, default in parts:
        bound = type_text(constraint, names) if constraint else None
        otherwise = type_text(default, names) if default else None
        head = join(name, " extends ", bound) if bound else (name,)
        shown.append(join(head, " = ", otherwise) if otherwise else head)
    return tuple(names), join("<", separated(", ", shown), ">") if shown else None


def _parameters(tags: Sequence[_Tag], wanted: str, names: Sequence[str]) -> list[ParameterFact]:
    """Parameters or properties; those with a dot in their names are properties of one before."""
    found: list[ParameterFact] = []
    inner: dict[str, list[ParameterFact]] = {}
    for tag in tags:
        if tag.name not in (wanted, "prop" if wanted == "property" else "arg"):
            continue
        named = _NAME.match(tag.rest)
        if named is None:
            continue
        fact = _parameter(tag.type, named, names)
        owner, _, name = fact.name.rpartition(".")
        if owner:
            inner.setdefault(owner.removesuffix("[]"), []).append(replace(fact, name=name))
        else:
            found.append(fact)
    return [_with_properties(each, inner) for each in found]


def _parameter(type_: str | None, named: re.Match[str], names: Sequence[str]) -> ParameterFact:
    name = named[1] or named[3]
    written = (type_ or "").strip()
    kind: ParameterKind = "positional_only"
    if written.startswith("..."):
        kind = "var_positional"
    elif named[1] or written.endswith("="):
        kind = "optional"
    text = type_text(written.removesuffix("="), names) if written else None
    return ParameterFact(name, kind, text, named[2] or None)


def _with_properties(
    fact: ParameterFact, inner: dict[str, list[ParameterFact]], depth: int = 0
) -> ParameterFact:
    properties = inner.get(fact.name)
    if not properties or depth > 5:
        return fact
    listed = [_with_properties(each, inner, depth + 1) for each in properties]
    shape = join("{ ", separated("; ", (_property_text(each) for each in listed)), " }")
    return replace(fact, annotation=shape)


def _property_text(fact: ParameterFact) -> Text:
    sign = "?" if fact.kind == "optional" else ""
    return join(fact.name + sign, ": ", fact.annotation if fact.annotation is not None else "any")


# --- Types that comments declare --------------------------------------------------------------------------


def declared_types(doc: str, line: int) -> Iterator[Fact]:
    """``@typedef`` and ``@callback``: types that every such comment exports."""
    if "@typedef" not in doc and "@callback" not in doc:
        return
    tags = list(_tags(doc))
    starts = [index for index, tag in enumerate(tags) if tag.name in ("typedef", "callback")]
    names, type_params = _templates(tags)
    for position, start in enumerate(starts):
        end = starts[position + 1] if position + 1 < len(starts) else len(tags)
        tag, following = tags[start], tags[start + 1 : end]
        named = _NAME.match(tag.rest)
        if named is None:
            continue
        head: Text = join(f"type {named[3] or named[1]}", type_params or (), " =")
        about = doc[: doc.index("@")].strip() or None
        base = Fact("type", named[3] or named[1], head, type_params=type_params, is_exported=True,
                    doc=about, line=line, end_line=line)  # fmt: skip
        if tag.name == "callback":
            yield _typed(base, _callback(following, names))
        elif properties := _parameters(following, "property", names):
            docs = dict(_documented(following))
            yield replace(
                base, members=tuple(_member(each, line, docs.get(each.name)) for each in properties)
            )
        else:
            yield _typed(base, type_text(tag.type, names) if tag.type else None)


def _typed(fact: Fact, type_: Text | None) -> Fact:
    return replace(fact, header=join(fact.header, " ", type_ if type_ is not None else "any"), type=type_)


def _callback(tags: Sequence[_Tag], names: Sequence[str]) -> Text:
    returns = next((tag.type for tag in tags if tag.name in ("returns", "return") and tag.type), None)
    type_ = type_text(returns, names) if returns else None
    listed = separated(", ", (_property_text(each) for each in _parameters(tags, "param", names)))
    return join("(", listed, ") => ", type_ if type_ is not None else "any")


def _documented(tags: Sequence[_Tag]) -> Iterator[tuple[str, str]]:
    """Names of properties, and what is said about them."""
    for tag in tags:
        if (named := _NAME.match(tag.rest)) is not None:
            yield named[1] or named[3], tag.rest[named.end() :].lstrip(" -").strip()


def _member(fact: ParameterFact, line: int, doc: str | None) -> Fact:
    return Fact("property", fact.name, _property_text(fact), type=fact.annotation, doc=doc or None,
                is_optional=fact.kind == "optional", line=line, end_line=line)  # fmt: skip
