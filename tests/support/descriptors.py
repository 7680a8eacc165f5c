"""What protoc makes of ``.proto`` files: for tests that ask whether two texts say the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ifacegen_adapters.protobuf.options import Refusal, decoded
from ifacegen_adapters.protobuf.protoc import compile_files

#: File options that the text of a view leaves out: only code generators of single languages read them.
GENERATOR_OPTIONS = (
    "java_package",
    "java_outer_classname",
    "java_multiple_files",
    "java_generate_equals_and_hash",
    "java_string_check_utf8",
    "java_generic_services",
    "optimize_for",
    "go_package",
    "cc_generic_services",
    "cc_enable_arenas",
    "py_generic_services",
    "objc_class_prefix",
    "csharp_namespace",
    "swift_prefix",
    "php_class_prefix",
    "php_namespace",
    "php_metadata_namespace",
    "ruby_package",
)


def descriptors(texts: Mapping[str, str], names: Sequence[str] | None = None) -> dict[str, Any]:
    """Import name → descriptor without source info, its options known.

    Raises:
        ValueError: protoc or the protobuf library refuses one of the files.
    """
    compiled = compile_files(texts, list(names if names is not None else texts))
    if compiled.refused:
        name, complaint = next(iter(compiled.refused.items()))
        raise ValueError(f"{name}:{complaint.line}: {complaint.text}\n{texts[name]}")
    found: dict[str, Any] = {}
    for data, wanted in compiled.sets:
        for name, each in decoded(data, wanted):
            if isinstance(each, Refusal):
                raise ValueError(f"{name}: {each.reason}")
            each.ClearField("source_code_info")
            found[name] = each
    return found


def without_generator_options(found: Mapping[str, Any]) -> Mapping[str, Any]:
    """The descriptors as the text of a view gives them."""
    for each in found.values():
        for option in GENERATOR_OPTIONS:
            each.options.ClearField(option)
        if not each.options.ListFields():
            each.ClearField("options")
    return found


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[str]:
    """One line a file that is not the same."""
    for name in sorted({*before, *after}):
        one, other = before.get(name), after.get(name)
        if one is None or other is None:
            yield f"{name}: only {'after' if one is None else 'before'}"
        # Classes of two pools: what they hold is compared in the one form that both have.
        elif one.SerializeToString(deterministic=True) != other.SerializeToString(deterministic=True):
            yield f"{name}: {_first_difference(str(one), str(other))}"


def _first_difference(one: str, other: str) -> str:
    lines = zip(one.splitlines(), other.splitlines(), strict=False)
    return next((f"{a.strip()!r} → {b.strip()!r}" for a, b in lines if a != b), "one is longer")
