"""What is printed says what the source says: protoc makes equal descriptors of both.

Sources are made up from all parts of the language; each is printed from protoc's descriptor, and from what the
parser that reads a file alone makes of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ifacegen_adapters.protobuf import declare, parse
from ifacegen_adapters.protobuf.emit import Printer
from support.descriptors import descriptors, differences, without_generator_options
from support.protos import surface_of

OPTIONS = """
syntax = "proto2";
package opts;
import "google/protobuf/descriptor.proto";
message Rule {
  optional int32 min = 1; repeated string names = 2; optional Rule inner = 3; optional bytes raw = 4;
  optional double ratio = 5; optional float half = 6; optional Mode mode = 7; map<string, Rule> by = 8;
  optional group Pair = 9 { optional bool on = 1; }
  extensions 100 to 199;
}
enum Mode { OFF = 0; ON = 1; }
extend Rule { optional string more = 100; }
extend google.protobuf.FileOptions { repeated Rule file = 50000; }
extend google.protobuf.MessageOptions { optional Rule message = 50000; }
extend google.protobuf.FieldOptions { optional Rule field = 50000; repeated sint32 numbers = 50001; }
extend google.protobuf.EnumOptions { optional string enum = 50000; }
extend google.protobuf.EnumValueOptions { optional double value = 50000; }
extend google.protobuf.MethodOptions { optional Rule method = 50000; optional bytes raw = 50001; }
"""
SCALARS = (
    *(
        "double",
        "float",
        "int64",
        "uint64",
        "int32",
        "fixed64",
        "fixed32",
        "bool",
        "string",
        "bytes",
        "uint32",
    ),
    *("sfixed32", "sfixed64", "sint32", "sint64"),
)
KEYS = ("string", "int32", "bool", "fixed64", "sint64")
PACKABLE = frozenset(SCALARS) - {"string", "bytes"}
COMMENTS = ("", "", "", "// Said above.\n", "/* In a block,\n * of two lines. */\n", "// One.\n\n// Two.\n")
BEHIND = ("", "", " // Said behind.", " /* behind */")
SPACE = (" ", "  ", "\t", "\n", " /* here */ ")
TEXTS = ('"plain"', "'it\\'s'", '"a\\"b\\n\\t\\\\"', '"\\303\\266"', '"ö" "é"', '""', '"\\x41\\101"')
VALUES = (
    *("{}", "{ min: 1 }", "{ min: -3, names: ['a', \"b\"] }", "{ inner { min: 2 inner: { names: 'x' } } }"),
    *(
        '{ raw: "\\000\\377" ratio: 1e10 half: 0.1 }',
        "{ ratio: -inf half: nan mode: ON }",
        "{ Pair { on: true } }",
    ),
    *('{ by { key: "k" value { min: 1 } } }', "{ [opts.more]: 'ext' }", "{ names: 'a' 'b'; min: 0x10 }"),
)


@dataclass
class Maker:
    """Draws one source."""

    draw: st.DrawFn
    is_proto2: bool
    #: Full names of the messages so far; any may be mentioned anywhere.
    messages: list[str] = field(default_factory=list)
    count: int = 0

    def pick(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def number(self, most: int) -> int:
        return self.draw(st.integers(0, most))

    def name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def type(self, scope: str) -> str:
        if not self.messages or self.number(2):
            return self.pick(*SCALARS)
        full = self.pick(*self.messages)
        short = full.removeprefix(scope + ".")
        return self.pick(f".{full}", full, short if "." not in short else full)

    def brackets(self, type_: str, label: str) -> str:
        settings_ = []
        if self.is_proto2 and label == "optional" and (default := self.default(type_)):
            settings_.append(f"default = {default}")
        if label == "repeated" and type_ in PACKABLE and not self.number(2):
            settings_.append(f"packed = {self.pick('true', 'false')}")
        if not self.number(4):
            settings_.append(f'json_name = "j{self.name("x")}"')
        if not self.number(3):
            settings_.append(self.pick("deprecated = true", "deprecated=false"))
        if not self.number(3):
            settings_.append(self.pick(f"(opts.field) = {self.pick(*VALUES)}", "(.opts.field).inner.min = 4"))
        if not self.number(4):
            settings_ += ["(opts.numbers) = -1", "(opts.numbers) = 7"]
        return f" [{', '.join(settings_)}]" if settings_ else ""

    def default(self, type_: str) -> str:
        if type_ in ("string", "bytes"):
            return self.pick("", *TEXTS)
        if type_ in ("float", "double"):
            return self.pick("", "inf", "-inf", "nan", "1.5", "-2e-3", "7")
        if type_ == "bool":
            return self.pick("", "true", "false")
        return self.pick("", "0", "7", "0x1F", "017") if type_ in SCALARS else ""

    def field(self, scope: str, number: int, label: str | None = None) -> str:
        if label is None and not self.number(5):
            key, value = self.pick(*KEYS), self.type(scope)
            return (
                f"map{self.pick(*SPACE)}<{key}, {value}> {self.name('m')} = {number};{self.pick(*BEHIND)}\n"
            )
        if label is None:
            label = self.pick(
                *(("optional", "required", "repeated") if self.is_proto2 else ("", "optional", "repeated"))
            )
        if self.is_proto2 and not self.number(6):
            group = self.name("Group")
            return f"{label} group {group} = {number} {{\n{self.field(scope, 1)}}}\n"
        type_ = self.type(scope)
        brackets = self.brackets(type_, label)
        head = self.pick(*COMMENTS) + label
        return (
            f"{head} {type_}{self.pick(*SPACE)}{self.name('f')} = {number}{brackets};{self.pick(*BEHIND)}\n"
        )

    def message(self, scope: str, depth: int = 0) -> str:
        name = self.name("M")
        full = f"{scope}.{name}"
        self.messages.append(full)
        parts = [
            self.pick("", "option deprecated = true;\n", f"option (opts.message) = {self.pick(*VALUES)};\n")
        ]
        number = 1
        for _ in range(self.number(4)):
            what = self.number(5 if depth < 2 else 2)
            if what < 3:
                parts.append(self.field(full, number))
            elif what == 3:
                parts.append(self.message(full, depth + 1))
            elif what == 4:
                parts.append(self.enum())
            else:
                inner = "".join(self.field(full, number + at, "") for at in range(1 + self.number(2)))
                parts.append(f"{self.pick(*COMMENTS)}oneof {self.name('o')} {{\n{inner}}}\n")
            number += 4
        parts.append(
            self.pick(
                "", "", "reserved 900, 910 to 920;\n", 'reserved "gone", "lost"; reserved 1000 to max;\n'
            )
        )
        if self.is_proto2 and not self.number(3):
            parts.append("extensions 500 to 599, 600;\n")
            extended = f"optional {self.pick(*SCALARS)} {self.name('e')} = {500 + self.number(99)};"
            parts.append(f"{self.pick(*COMMENTS)}extend {self.pick(name, '.' + full)} {{ {extended} }}\n")
        return f"{self.pick(*COMMENTS)}message {name} {{{self.pick(*BEHIND)}\n{''.join(parts)}}}\n"

    def enum(self) -> str:
        stem = self.name("E")
        values = [f"{stem}_ZERO = 0;\n"]
        values += [
            f"{stem}_{at} = {self.pick('7', '-1', '0x20', str(at))}{self.value()};\n" for at in range(1, 4)
        ]
        alias = "option allow_alias = true;\n"
        rest = self.pick("", "reserved -5 to -3, 100 to max;\n", f'reserved "{stem}_OLD"; reserved 50;\n')
        option = self.pick("", f"option (opts.enum) = {self.pick(*TEXTS)};\n")
        # An alias that isn't used is an error.
        return f"enum {stem} {{ {alias}{option}{''.join(values)}{stem}_NIL = 0;\n{rest}}}\n"

    def value(self) -> str:
        return self.pick("", "", " [deprecated = true]", " [(opts.value) = 1.5]", " [(opts.value) = -inf]")

    def service(self) -> str:
        rpcs = ""
        for _ in range(self.number(3)):
            taken, given = (self.pick("", "stream ") + "." + self.pick(*self.messages) for _ in range(2))
            ends = (
                *(
                    ";",
                    " {}",
                    " { option deprecated = true; }",
                    "{ option idempotency_level = NO_SIDE_EFFECTS; }",
                ),
                *(
                    f"{{ option (opts.method) = {self.pick(*VALUES)}; }}",
                    ' { option (opts.raw) = "\\001\\"\\377"; }',
                ),
            )
            rpcs += f"{self.pick(*COMMENTS)}rpc {self.name('Call')}({taken}) returns ({given}){self.pick(*ends)}\n"
        return f"{self.pick(*COMMENTS)}service {self.name('S')} {{\n{rpcs}}}\n"

    def file(self) -> str:
        syntax = "proto2" if self.is_proto2 else "proto3"
        parts = [f'{self.pick(*COMMENTS)}syntax = "{syntax}";\npackage deep.v1;\n']
        parts += ['import "opts.proto";\nimport public "google/protobuf/any.proto";\n']
        parts.append(
            self.pick("", 'option java_package = "x";\n', f"option (opts.file) = {self.pick(*VALUES)};\n")
        )
        parts += [self.message("deep.v1") for _ in range(1 + self.number(2))]
        parts += [self.enum() for _ in range(self.number(1))]
        parts += [self.service() for _ in range(self.number(1))]
        return "".join(parts)


@st.composite
def sources(draw: st.DrawFn) -> str:
    return Maker(draw, draw(st.booleans())).file()


@pytest.mark.slow
@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(sources())
def test_what_is_printed_says_what_the_source_says(source: str) -> None:
    before = descriptors({"opts.proto": OPTIONS, "x.proto": source})
    surface = surface_of({"opts.proto": OPTIONS, "x.proto": source})
    assert surface.notes == ()
    read, _ = parse.parse(source)
    alone = declare.module(read, "x.proto", source)
    for module in (surface.modules[1], alone):
        whole = Printer("full", is_whole=True).module(module)
        after = descriptors({"opts.proto": OPTIONS, "x.proto": whole})
        assert list(differences(before, after)) == [], whole
    # What is printed prints as it is: comments, too, are where they are read again.
    whole = Printer("full", is_whole=True).module(surface.modules[1])
    again = surface_of({"opts.proto": OPTIONS, "x.proto": whole})
    assert Printer("full", is_whole=True).module(again.modules[1]) == whole
    shown = {"opts.proto": OPTIONS, "x.proto": Printer("none").module(surface.modules[1])}
    assert (
        list(differences(without_generator_options(before), without_generator_options(descriptors(shown))))
        == []
    )


@settings(max_examples=150, deadline=None)
@given(sources(), st.data())
def test_a_damaged_file_is_read_as_far_as_it_goes(source: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(source)))
    damage = data.draw(
        st.sampled_from(["", "}", "{", ";", '"', "/*", "[", "=", "message", "\x01", ")", "'", "<"])
    )
    cut = data.draw(st.integers(0, 20))
    read, problems = parse.parse(source[:at] + damage + source[at + cut :])
    printed = Printer().module(declare.module(read, "x.proto", source))
    again, _ = parse.parse(printed)
    assert Printer().module(declare.module(again, "x.proto", printed))
    assert all(problem.line >= 1 for problem in problems)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="message{};=\"'/*\n 1.ab[](),<>-rpcenumoneof", max_size=200))
def test_any_text_is_read(text: str) -> None:
    read, _ = parse.parse(text)
    Printer().module(declare.module(read, "x.proto", text))
