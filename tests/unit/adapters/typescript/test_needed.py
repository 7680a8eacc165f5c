"""What one must see to use a declaration."""

from __future__ import annotations

from dataclasses import replace

from ifacegen.model import Declaration, Module
from ifacegen_adapters.typescript.needed import needed
from support.typescript import declared, module


def mentioning(name: str, *ids: str, kind: str = "interface", **fields: object) -> Declaration:
    signature = f"interface {name}" if kind == "interface" else f"{kind} {name}(): void"
    made = declared(kind, signature, name, extra={"mentions": tuple(f"@acme/ui:{each}" for each in ids)})
    return replace(made, **fields)  # type: ignore[arg-type]


def names(modules: list[Module]) -> list[tuple[str, list[str]]]:
    return [(each.name, [d.name for d in each.declarations]) for each in modules]


def test_types_come_nearest_first_each_once() -> None:
    f = mentioning("f", "B", "A", "f", kind="function")
    everything = module(
        mentioning("D", "f"),
        mentioning("A", "C"),
        mentioning("B", "A", "nothing"),
        mentioning("C", "D", "B"),
        f,
    )
    assert names(needed([everything], [f])) == [("@acme/ui", ["B", "A", "C", "D"])]


def test_overloads_and_what_is_merged_come_together() -> None:
    first = mentioning("g", kind="function")
    second = replace(first, id="@acme/ui:g#2", extra={"mentions": ("@acme/ui:A",)})
    f = mentioning("f", "g#2", kind="function")
    found = needed([module(first, second, mentioning("A"), f)], [f])
    assert [each.id for each in found[0].declarations] == ["@acme/ui:g", "@acme/ui:g#2", "@acme/ui:A"]


def test_what_was_asked_for_is_not_repeated_and_its_members_count() -> None:
    member = mentioning("m", "A", "Box", kind="method")
    box = mentioning("Box", members=(member,))
    assert names(needed([module(box, mentioning("A", "Box"))], [box])) == [("@acme/ui", ["A"])]


def test_a_member_needs_its_part_of_what_its_owner_mentions() -> None:
    get = replace(declared("method", "get(a: A): void", "get"), id="@acme/ui:Box.get", qualname="Box.get")
    box = mentioning("Box", "A", "B", members=(get,))
    assert names(needed([module(box, mentioning("A", "C"), mentioning("B"), mentioning("C"))], [get])) == [
        ("@acme/ui", ["A", "C"])
    ]


def test_what_there_is_no_room_for_has_no_members_and_leads_nowhere() -> None:
    member = declared("property", "a: 1", "a")
    secret = declared("property", "private b", "b", extra={"access": "private"})
    large = mentioning("Large", "Far", members=(member,), tokens=2995)
    far = mentioning("Far", "Farther", members=(member, secret), tokens=10)
    small = mentioning("Small", tokens=5)
    alias = declared("type", "type Alias = 1", "Alias")
    f = mentioning("f", "Large", "Far", "Alias", "Small", kind="function")
    (found,) = needed([module(f, large, far, alias, small, mentioning("Farther"))], [f])
    assert [each.name for each in found.declarations] == ["Large", "Far", "Alias", "Small"]
    assert [len(each.members) for each in found.declarations] == [1, 0, 0, 0]
    assert [each.extra.get("members_elided") for each in found.declarations] == [None, 1, None, None]


def test_a_namespace_is_shown_for_the_member_that_is_needed() -> None:
    inner = replace(mentioning("T"), id="@acme/ui:ns.T", qualname="ns.T")
    other = replace(mentioning("U"), id="@acme/ui:ns.U", qualname="ns.U")
    namespace = declared("namespace", "namespace ns", "ns", members=(inner, other))
    f = mentioning("f", "ns.T", kind="function")
    (found,) = needed([module(namespace, f)], [f])
    assert [each.name for each in found.declarations[0].members] == ["T"]
    assert found.declarations[0].extra["members_elided"] == 1


def test_of_a_namespace_comes_what_is_named_of_it() -> None:
    inner = replace(
        mentioning("T"), id="@acme/ui:ns.T", qualname="ns.T", signature="interface T extends A, U"
    )
    other = replace(mentioning("U"), id="@acme/ui:ns.U", qualname="ns.U")
    namespace = replace(mentioning("ns", "A", "B"), kind="namespace", members=(inner, other))
    f = mentioning("f", "ns", kind="function", signature="function f(x: ns.T): void")
    (found,) = needed([module(namespace, f, mentioning("A"), mentioning("B"))], [f])
    assert [(each.name, [m.name for m in each.members]) for each in found.declarations] == [
        ("ns", ["T"]),
        ("A", []),
    ]
    whole = mentioning("f", "ns", kind="function", signature="function f(x: typeof ns): void")
    (found,) = needed([module(namespace, whole)], [whole])
    assert [len(each.members) for each in found.declarations] == [2]


def test_imports_tell_where_other_names_are_from() -> None:
    imports = [
        declared("import", 'import type { ReactNode } from "react"', "ReactNode"),
        declared("import", 'import type { Key as ReactKey, A as A_1 } from "react"', "ReactKey"),
        declared("import", 'import * as core from "zod/v4/core"', "core"),
        declared("import", 'import Ajv = require("ajv")', "Ajv"),
        declared("import", '/// <reference types="node" />', "node"),
    ]
    f = mentioning("f", "A", kind="function", signature="function f(x: ReactNode, y: core.Type): A")
    a = mentioning("A", signature="interface A extends Ajv.Options")
    modules = [module(*imports, a, f, doc="The module."), module(mentioning("B"), name="@acme/ui/other")]
    (found,) = needed(modules, [f])
    assert found.doc is None
    assert [each.name for each in found.declarations] == ["ReactNode", "core", "Ajv", "A"]


def test_modules_come_in_the_order_of_what_is_nearest_in_them() -> None:
    far = replace(mentioning("Far"), id="@acme/ui/far:Far")
    near = replace(mentioning("Near"), id="@acme/ui/near:Near", extra={"mentions": ("@acme/ui/far:Far",)})
    f = replace(mentioning("f", kind="function"), extra={"mentions": ("@acme/ui/near:Near",)})
    modules = [module(far, name="@acme/ui/far"), module(near, name="@acme/ui/near"), module(f)]
    assert names(needed(modules, [f])) == [("@acme/ui/near", ["Near"]), ("@acme/ui/far", ["Far"])]


def test_what_needs_nothing_needs_nothing() -> None:
    f = mentioning("f", kind="function")
    assert needed([module(f, mentioning("A"))], [f]) == []
