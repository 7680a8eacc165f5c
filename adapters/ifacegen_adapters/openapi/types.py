"""Schemas → one-line types in the manner of TypeScript: references by name, never what they lead to.

``{id: string, children?: Node[], state: "open" | "closed", count: integer = 30, [key]: string}``. Limits
(``minLength`` …), examples and titles are left out; whatever else is not understood is ``unknown`` and noted.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ifacegen.model import Note
from ifacegen_adapters.openapi.document import Document
from ifacegen_adapters.openapi.library import Elsewhere, Library
from ifacegen_adapters.openapi.naming import Named, Names, Root
from ifacegen_adapters.openapi.texts import LONGEST_NAME, kind_of, literal, name_text, one_line, quoted
from ifacegen_adapters.openapi.troubles import Place, Troubles
from ifacegen_adapters.openapi.values import TooDeep


class Text(NamedTuple):
    """A type as it is printed."""

    text: str
    #: How its parts hang together: 0 not at all, 1 by ``&``, 2 by ``|``.
    looseness: int = 0
    #: Those parts.
    members: tuple[str, ...] = ()


_ANY, _NEVER, _UNKNOWN = Text("any"), Text("never"), Text("unknown")
_SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})
#: Keys of schemas that say no more of the type than its name and format.
_PLAIN_KEYS = frozenset(
    {
        "default",
        "deprecated",
        "description",
        "example",
        "examples",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
    }
    | {"maxLength", "maximum", "minLength", "minimum", "pattern", "readOnly", "title", "type", "writeOnly"}
)
_PLAIN_NAME = re.compile(r"[A-Za-z_$@+-][\w$@.+/-]*")
_COMPOSED = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "discriminator", "if", "then", "else", "dependentSchemas"}
    | {"dependentRequired"}
)
_OBJECT = frozenset({"properties", "additionalProperties", "patternProperties", "required"})
_CONDITIONAL = frozenset({"if", "then", "else", "dependentSchemas", "dependentRequired"})
#: What a reference may have beside it that changes the type.
_BESIDE = frozenset(
    {*_COMPOSED, *_OBJECT, "type", "enum", "const", "items", "prefixItems", "nullable", "format"}
    - {"required"}
)
#: Characters of one type, and of all types of a package together: only hostile documents reach them.
LONGEST_TYPE = 100_000
_MOST_TEXT = 200_000_000
#: Characters of the values of one enumeration.
_LONGEST_ENUM = 4_000


class Types:
    """Makes types of the schemas of one document."""

    def __init__(
        self, root: Root, names: Names, library: Library, troubles: Troubles, long_value: int
    ) -> None:
        self._root = root
        self._names = names
        self._library = library
        self._troubles = troubles
        self._long_value = long_value
        self._spent = 0
        self._shared: dict[int, tuple[Text, list[str]]] = {}
        self._open: set[int] = set()
        #: The schema that is being declared.
        self.declaring: Any = None
        #: What dynamic references mean inside the schema that is being declared.
        self.anchors: dict[str, Named] = {}
        #: Ids of the schemas that were mentioned since this was emptied last, in order.
        self.mentions: list[str] = []

    def text(self, node: Any, document: Document, place: Place) -> str:
        """The type of a schema."""
        return self._type(node, document, place)[0]

    def default(self, node: Any) -> str | None:
        """The default that a schema states."""
        return (
            literal(node["default"], self._long_value)
            if isinstance(node, dict) and "default" in node
            else None
        )

    def reset(self) -> None:
        """Forget what was being made: it nested too deep."""
        self._open.clear()
        self.mentions = []

    # -- any schema -----------------------------------------------------------------------------------

    def _type(self, node: Any, document: Document, place: Place) -> Text:
        if not isinstance(node, dict):
            if isinstance(node, bool):
                return _ANY if node else _NEVER
            return self._not_understood(
                f"a schema must be a mapping, not {kind_of(node)}", document, place, node
            )
        kind = node.get("type")
        if isinstance(kind, str) and kind in _SCALARS and node.keys() <= _PLAIN_KEYS:  # as most are
            form = node.get("format")
            return _scalar(kind, form if isinstance(form, str) else "")
        if document.has_aliases:
            return self._type_of_shared(node, document, place)
        return self._limited(self._made(node, document, place), node, document, place)

    def _limited(self, made: Text, node: Any, document: Document, place: Place) -> Text:
        self._spent += len(made[0])
        if len(made[0]) > LONGEST_TYPE or self._spent > _MOST_TEXT:
            message = f"a type of over {LONGEST_TYPE:,} characters is left out"
            self._troubles.at(Note("warning", "too-long", message), document, place, node)
            return _UNKNOWN
        return made

    def _type_of_shared(self, node: dict[str, Any], document: Document, place: Place) -> Text:
        """Where YAML aliases are about, a schema may be in many places, or in itself: each is made once."""
        component = self._names.of_node(node)
        if component is not None and (node is not self.declaring or id(node) in self._open):
            self.mentions.append(component.id)
            return Text(self._names.text(component, self._root))
        known = self._shared.get(id(node))
        if known is not None:
            self.mentions.extend(known[1])
            return known[0]
        if id(node) in self._open:
            return self._not_understood("a schema that holds itself (a YAML alias)", document, place, node)
        before = self.mentions
        self.mentions = []
        self._open.add(id(node))
        made = self._limited(self._made(node, document, place), node, document, place)
        self._open.discard(id(node))
        found = list(dict.fromkeys(self.mentions))
        self._shared[id(node)] = made, found
        self.mentions = before
        self.mentions.extend(found)
        return made

    def _made(self, node: dict[str, Any], document: Document, place: Place) -> Text:
        if "$ref" in node:
            return self._reference(node, document, place)
        if isinstance(node, TooDeep):
            return _UNKNOWN
        if "$dynamicRef" in node or "$recursiveRef" in node:
            return self._dynamic(node.get("$dynamicRef", node.get("$recursiveRef")), document, place)
        made = (
            self._own(node, document, place)
            if node.keys().isdisjoint(_COMPOSED)
            else self._composed(node, document, place)
        )
        enum = node.get("enum")
        has_null = isinstance(enum, list) and None in enum
        return _or_null(made) if node.get("nullable") is True and not has_null else made

    def _not_understood(self, why: str, document: Document, place: Place, node: object) -> Text:
        self._troubles.at(Note("warning", "schema-invalid", why), document, place, node)
        return _UNKNOWN

    def _reference(self, node: dict[str, Any], document: Document, place: Place) -> Text:
        found = self._library.resolve(node["$ref"], document, (place, "$ref"))
        if isinstance(found, Elsewhere):
            text = found.text
        else:
            named = self._names.named(found, self._root)
            self.mentions.append(named.id)
            text = self._names.text(named, self._root)
        parts = [Text(text)]
        if node.keys().isdisjoint(_BESIDE):
            return parts[0]
        beside = {key: value for key, value in node.items() if key not in ("$ref", "nullable")}
        if not beside.keys().isdisjoint(_BESIDE):
            parts.append(self._type(beside, document, place))
        joined = _joined(parts, 1)
        return _or_null(joined) if node.get("nullable") is True else joined

    def _dynamic(self, reference: object, document: Document, place: Place) -> Text:
        """A reference to the outermost schema with an anchor: the one that is being declared, if it has it."""
        anchored = self.anchors.get(reference.removeprefix("#")) if isinstance(reference, str) else None
        if anchored is None:
            return self._reference({"$ref": reference}, document, place)
        self.mentions.append(anchored.id)
        return Text(self._names.text(anchored, self._root))

    # -- composed schemas -----------------------------------------------------------------------------

    def _composed(self, node: dict[str, Any], document: Document, place: Place) -> Text:
        own = self._own(node, document, place, is_part=True)
        # That it is an object is said by what it is made of.
        is_said = own[0] == "object" and not node.keys().isdisjoint(("allOf", "oneOf", "anyOf"))
        parts = [] if is_said or not own[0] else [own]
        parts += self._each(node, "allOf", document, place)
        for word in ("oneOf", "anyOf"):
            if found := self._each(node, word, document, place):
                parts.append(_joined(found, 2))
        if "not" in node:
            parts.append(Text(f"not {_tight(self._type(node['not'], document, (place, 'not')), 0)}", 1))
        if not node.keys().isdisjoint(_CONDITIONAL):
            message = "if, then, else, dependentSchemas and dependentRequired are not shown"
            self._troubles.at(Note("info", "conditional-schema", message), document, place, node)
            parts.append(Text("…(conditions)"))
        telling = [each for each in parts if each != _ANY]
        made = _joined(telling, 1) if telling else _ANY
        return self._discriminated(made, node, document, place) if "discriminator" in node else made

    def _each(self, node: dict[str, Any], word: str, document: Document, place: Place) -> list[Text]:
        schemas = node.get(word)
        if not isinstance(schemas, list):
            if word in node:
                message = f"must be a list, not {kind_of(schemas)}"
                return [self._not_understood(message, document, (place, word), schemas)]
            return []
        above: Place = (place, word)
        found = (self._type(each, document, (above, number)) for number, each in enumerate(schemas))
        made = list(dict.fromkeys(found))
        return [each for each in made if each != _ANY] if word == "allOf" and len(made) > 1 else made

    def _discriminated(self, made: Text, node: dict[str, Any], document: Document, place: Place) -> Text:
        told = node["discriminator"]
        name = told.get("propertyName") if isinstance(told, dict) else told
        if not isinstance(name, str):
            return self._not_understood("a discriminator must have a propertyName", document, place, node)
        mapping = told.get("mapping") if isinstance(told, dict) else None
        cases = [] if not isinstance(mapping, dict) else list(self._cases(mapping, document, place))
        said = f" {{{', '.join(f'{value}: {text}' for value, text in cases)}}}" if cases else ""
        # Named once, where the cases are all there is.
        is_union = made.looseness == 2 and set(made.members) == {text for _, text in cases}
        what = "union" if is_union else _tight(made, 0)
        return Text(f"{what} by {name_text(name)}{said}", 1)

    def _cases(self, mapping: dict[str, Any], document: Document, place: Place) -> Iterator[tuple[str, str]]:
        at: Place = ((place, "discriminator"), "mapping")
        for value, target in mapping.items():
            if isinstance(target, str) and not ("/" in target or "#" in target or "." in target):
                text = name_text(target)
                found = self._library.resolve(f"#/components/schemas/{target}", document, (at, value))
            else:
                found = self._library.resolve(target, document, (at, value))
            if isinstance(found, Elsewhere):
                text = found.text
            else:
                named = self._names.named(found, self._root)
                self.mentions.append(named.id)
                text = self._names.text(named, self._root)
            yield quoted(name_text(value)), text

    # -- what a schema says itself --------------------------------------------------------------------

    def _own(self, node: dict[str, Any], document: Document, place: Place, *, is_part: bool = False) -> Text:
        """Its own keywords; empty instead of ``any`` where it is one part of several."""
        if "enum" in node:
            return self._enumeration(node["enum"], document, place)
        if "const" in node:
            return Text(literal(node["const"], self._long_value))
        kind = node.get("type")
        if isinstance(kind, str):
            return self._kind(kind, node, document, place)
        if isinstance(kind, list) and kind:
            return _joined([self._kind(each, node, document, place) for each in kind], 2)
        if kind is not None:
            return self._not_understood(f"type must be a string, not {kind_of(kind)}", document, place, node)
        if not node.keys().isdisjoint(_OBJECT):
            return self._object(node, document, place)
        if "items" in node or "prefixItems" in node:
            return self._array(node, document, place)
        if isinstance(node.get("format"), str):
            return Text(f"any({one_line(node['format'])})")
        return Text("") if is_part else _ANY

    def _kind(self, kind: Any, node: dict[str, Any], document: Document, place: Place) -> Text:
        if kind == "object":
            return self._object(node, document, place)
        if kind == "array":
            return self._array(node, document, place)
        if not isinstance(kind, str) or kind not in _SCALARS:
            shown = name_text(kind)
            return self._not_understood(f"there is no type {shown}", document, (place, "type"), node)
        form = node.get("format") or node.get("contentEncoding")
        return _scalar(kind, form if isinstance(form, str) else "")

    def _enumeration(self, values: Any, document: Document, place: Place) -> Text:
        if not isinstance(values, list):
            why = f"must be a list, not {kind_of(values)}"
            return self._not_understood(why, document, (place, "enum"), values)
        texts: list[str] = []
        size = 0
        for number, value in enumerate(values):
            texts.append(literal(value, self._long_value))
            size += len(texts[-1])
            if size > _LONGEST_ENUM and number + 1 < len(values):
                texts.append(f"…({len(values) - number - 1:,} more)")
                break
        return _joined([*map(Text, texts)], 2)

    def _array(self, node: dict[str, Any], document: Document, place: Place) -> Text:
        items = node.get("items", True)
        prefix = node.get("prefixItems", items if isinstance(items, list) else None)
        if not isinstance(prefix, list):
            return Text(f"{_tight(self._type(items, document, (place, 'items')), 0)}[]")
        at: Place = (place, "prefixItems" if "prefixItems" in node else "items")
        texts = [self._type(each, document, (at, number))[0] for number, each in enumerate(prefix)]
        rest = self._type(items, document, (place, "items")) if not isinstance(items, list) else _NEVER
        if rest != _NEVER:
            texts.append(f"...{_tight(rest, 0)}[]")
        return Text(f"[{', '.join(texts)}]")

    # -- objects --------------------------------------------------------------------------------------

    def _object(self, node: dict[str, Any], document: Document, place: Place) -> Text:
        properties = node.get("properties")
        fields: list[str] = []
        required = self._required(node, document, place)
        if isinstance(properties, dict):
            at: Place = (place, "properties")
            for name, schema in properties.items():
                fields.append(self._property(name, schema, name in required, document, (at, name)))
        elif properties is not None:
            message = f"must be a mapping, not {kind_of(properties)}"
            self._not_understood(message, document, (place, "properties"), node)
            fields.append("unknown")
        fields += self._other_keys(node, document, place)
        made = f"{{{', '.join(fields)}}}" if fields else "object"
        known = properties if isinstance(properties, dict) else {}
        unknown = [key_text(name) for name in required if name not in known]
        if not unknown:
            return Text(made)
        needs = f"required({', '.join(unknown)})"
        is_bare = not fields and node.get("type") is None
        return Text(needs) if is_bare else Text(f"{made} & {needs}", 1, (made, needs))

    def _required(self, node: dict[str, Any], document: Document, place: Place) -> dict[str, None]:
        required = node.get("required")
        if required is None or isinstance(
            required, bool
        ):  # a property's own `required: true` is common, and means nothing
            return {}
        if not isinstance(required, list):
            message = f"must be a list of names, not {kind_of(required)}"
            self._not_understood(message, document, (place, "required"), node)
            return {}
        return dict.fromkeys(name for name in required if isinstance(name, str))

    def _property(self, name: str, schema: Any, is_required: bool, document: Document, place: Place) -> str:
        text = self._type(schema, document, place)[0]
        before, default = "", None
        if isinstance(schema, dict):
            before = "".join(mark for word, mark in _MARKS if schema.get(word) is True)
            default = self.default(schema)
        return f"{before}{key_text(name)}{'' if is_required else '?'}: {text}{f' = {default}' if default is not None else ''}"

    def _other_keys(self, node: dict[str, Any], document: Document, place: Place) -> Iterator[str]:
        patterns = node.get("patternProperties")
        for pattern, schema in patterns.items() if isinstance(patterns, dict) else ():
            at: Place = ((place, "patternProperties"), pattern)
            yield f"[/{name_text(pattern)}/]: {self._type(schema, document, at)[0]}"
        more = node.get("additionalProperties")
        if more is True or more == {}:
            if node.get("properties"):
                yield "[key]: any"
        elif more is not None and more is not False:
            yield f"[key]: {self._type(more, document, (place, 'additionalProperties'))[0]}"


_MARKS = (("readOnly", "readonly "), ("writeOnly", "writeonly "), ("deprecated", "deprecated "))


@functools.lru_cache(maxsize=4096)
def key_text(name: str) -> str:
    """A property's or parameter's name as types print it."""
    return name if _PLAIN_NAME.fullmatch(name) else quoted(name[:LONGEST_NAME])


@functools.lru_cache(maxsize=1024)
def _scalar(kind: str, form: str) -> Text:
    return Text(f"{kind}({one_line(form)})" if form and kind != "null" else kind)


def _tight(made: Text, looseness: int) -> str:
    return f"({made.text})" if made.looseness > looseness else made.text


def _joined(parts: Sequence[Text], looseness: int) -> Text:
    """Parts joined by ``|`` (2) or ``&`` (1), each named once, null at the end."""
    parts = [each for each in dict.fromkeys(parts) if each.text]
    if len(parts) < 2:
        return parts[0] if parts else _NEVER
    members: dict[str, None] = {}
    for each in parts:
        inside = each.members if each.looseness == looseness and each.members else (_tight(each, looseness),)
        members.update(dict.fromkeys(inside))
    if looseness == 2 and "null" in members:
        del members["null"]
        members["null"] = None
    return Text((" | " if looseness == 2 else " & ").join(members), looseness, tuple(members))


def _or_null(made: Text) -> Text:
    return made if made.text in ("any", "unknown") else _joined([made, Text("null")], 2)
