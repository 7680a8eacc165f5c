"""Parts of a view: outlines, what a selection needs, shortened members, sizes."""

from __future__ import annotations

from dataclasses import replace

from support.protos import ADAPTER, HEAD, declared, surface_of

SHOP = {
    "shop.proto": HEAD
    + """
package shop;
import "money.proto";
// Reads.
service Shop {
  // Gets one.
  //
  // At length.
  rpc Get(Key) returns (Order);
  rpc Old(Key) returns (Key) { option deprecated = true; }
}
message Key { string id = 1; }
message Order {
  message Line { Money price = 1; Order order = 2; }
  repeated Line lines = 1;
  oneof payer { string user = 2; Unused.Org org = 3; }
  map<string, State> states = 4;
}
enum State { NONE = 0; PAID = 1; }
message Unused {
  string a = 1;
  message Org { string name = 1; }
}
""",
    "money.proto": HEAD + "package shop;\nmessage Money { int64 cents = 1; }\nmessage Rest {}",
}


def test_an_outline_has_a_line_for_each_declaration() -> None:
    assert ADAPTER.render_outline(surface_of(SHOP).modules) == (
        "// money.proto\n"
        "package shop\n"
        "message Money\n"
        "  int64 cents = 1\n"
        "message Rest\n"
        "// shop.proto\n"
        "package shop\n"
        "service Shop\n"
        "  rpc Get(Key) returns (Order)\n"
        "  rpc Old(Key) returns (Key) // deprecated\n"
        "message Key\n"
        "  string id = 1\n"
        "message Order\n"
        "  message Line\n"
        "    Money price = 1\n"
        "    Order order = 2\n"
        "  repeated Line lines = 1\n"
        "  oneof payer\n"
        "    string user = 2\n"
        "    Unused.Org org = 3\n"
        "  map<string, State> states = 4\n"
        "enum State: NONE PAID\n"
        "message Unused\n"
        "  string a = 1\n"
        "  message Org\n"
        "    string name = 1\n"
    )


def test_an_outline_says_which_members_were_taken_out() -> None:
    surface = surface_of(SHOP)
    short = [
        replace(declared(surface, name), members=(), extra={"members_elided": count})
        for name, count in (("Key", 1), ("State", 2))
    ]
    module = replace(surface.modules[0], declarations=tuple(short))
    assert ADAPTER.render_outline([module]) == (
        "// money.proto\nmessage Key // 1 member elided\nenum State // 2 members elided\n"
    )


def test_a_call_needs_the_messages_that_it_mentions_and_those_that_they_do() -> None:
    surface = surface_of(SHOP)
    found = ADAPTER.needed(surface.modules, [declared(surface, "Shop.Get")])
    assert [(module.name, [each.name for each in module.declarations]) for module in found] == [
        ("money.proto", ["Money"]),
        ("shop.proto", ["Key", "Order", "State", "Unused"]),
    ]
    unused = found[1].declarations[3]
    assert [each.name for each in unused.members] == ["Org"]
    assert "  // 1 member elided\n" in ADAPTER.render_declaration(unused)


def test_what_is_shown_already_is_not_needed() -> None:
    surface = surface_of(SHOP)
    key = declared(surface, "Key")
    assert ADAPTER.needed(surface.modules, [declared(surface, "Shop.Old"), key]) == []


def test_needs_are_found_in_files_that_were_read_alone() -> None:
    files = {
        "a.proto": HEAD + 'package p.v1;\nimport "nowhere.proto";\nimport "b.proto";\n'
        "message A { Inner i = 1; v1.B b = 2; .p.v1.C c = 3; message Inner {} }",
        "b.proto": HEAD + "package p.v1;\nmessage B {}\nmessage C {}",
    }
    surface = surface_of(files)
    found = ADAPTER.needed(surface.modules, [declared(surface, "A")])
    assert [(module.name, [each.name for each in module.declarations]) for module in found] == [
        ("b.proto", ["B", "C"])
    ]


def test_elided_members_are_told() -> None:
    message = replace(declared(surface_of(SHOP), "Order"), members=(), extra={"members_elided": 4})
    assert ADAPTER.render_declaration(message) == "message Order {\n  // 4 members elided\n}\n"


def test_documentation_is_printed_as_asked_for() -> None:
    surface = surface_of(SHOP)
    rpc = declared(surface, "Shop.Get")
    assert ADAPTER.render_declaration(rpc, docs="none") == "rpc Get(Key) returns (Order);\n"
    assert ADAPTER.render_declaration(rpc, docs="first_paragraph").startswith("// Gets one.\nrpc")
    assert ADAPTER.shorten_doc(rpc.doc or "") == "Gets one."


def test_declarations_carry_their_full_names_and_places() -> None:
    surface = surface_of(SHOP)
    line = declared(surface, "Order.Line")
    assert line.id == "shop.proto:Order.Line"
    assert line.import_paths == ("shop.Order.Line",)
    assert (line.path, line.line, line.end_line) == ("shop.proto", 15, 15)
    paid = declared(surface, "State.PAID")
    assert paid.import_paths == ("shop.PAID",)  # as protobuf scopes it
    assert declared(surface, "Shop.Old").deprecated
    assert declared(surface, "Order.org").extra["mentions"] == ("shop.Unused.Org",)


def test_sources_and_tokens_are_those_of_the_shown_files() -> None:
    surface = surface_of(SHOP)
    assert surface.sources == ("money.proto", "shop.proto")
    assert surface.source_tokens == sum(map(len, SHOP.values()))  # the test counts characters
    assert [each.kind for each in surface.interfaces] == ["published"]


def test_stub_trees_keep_what_only_generators_read() -> None:
    surface = surface_of({"a/b.proto": HEAD + 'option go_package = "x";\noption java_package = "y";'})
    assert "go_package" not in ADAPTER.render(surface.modules)
    stubs = ADAPTER.render_stubs(surface.modules)
    assert list(stubs) == ["a/b.proto"]
    assert "go_package" in stubs["a/b.proto"]
    assert "java_package" in stubs["a/b.proto"]
