"""Of a package's own ``tsconfig.json``: the options that types depend on, and can do no harm. Everything else is ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_STRICTNESS = (
    "alwaysStrict",
    "exactOptionalPropertyTypes",
    "noImplicitAny",
    "noImplicitThis",
    "noUncheckedIndexedAccess",
    "strict",
    "strictBindCallApply",
    "strictBuiltinIteratorReturn",
    "strictFunctionTypes",
    "strictNullChecks",
    "strictPropertyInitialization",
    "useUnknownInCatchVariables",
)
_SWITCHES = (
    *_STRICTNESS,
    "emitDecoratorMetadata",
    "experimentalDecorators",
    "useDefineForClassFields",
    "verbatimModuleSyntax",
)
_JSX = ("preserve", "react", "react-jsx", "react-jsxdev", "react-native")
#: Targets that all compilers that are used know.
_TARGETS = ("es2015", *(f"es{year}" for year in range(2016, 2025)), "esnext")
_OLD_NAMES = {"es3": "es2015", "es5": "es2015", "es6": "es2015", "es7": "es2016"}
_LIBRARY = re.compile(r"[a-z0-9.]{1,40}", re.ASCII)
_MODULE = re.compile(r"[@\w][\w./@-]{0,100}", re.ASCII)


def taken(own: Mapping[str, object], library: Path) -> dict[str, object]:
    """Options for the compiler, from those of a package.

    Args:
        own: ``compilerOptions`` as they are written; nobody vouches for them.
        library: The directory of the compiler's ``lib.*.d.ts``: an unknown one would keep it from emitting at all.
    """
    options: dict[str, object] = {"strict": True, "target": _target(own.get("target")), "jsx": "preserve"}
    options.update({name: own[name] for name in _SWITCHES if isinstance(own.get(name), bool)})
    jsx = own.get("jsx")
    if isinstance(jsx, str) and jsx.lower() in _JSX:
        options["jsx"] = jsx.lower()
        source = own.get("jsxImportSource")
        if isinstance(source, str) and _MODULE.fullmatch(source) and ".." not in source:
            options["jsxImportSource"] = source
    libraries = _libraries(own.get("lib"), library)
    if libraries:
        options["lib"] = libraries
    if not options.get("experimentalDecorators"):
        options.pop("emitDecoratorMetadata", None)
    return options


def _target(wanted: object) -> str:
    name = wanted.lower() if isinstance(wanted, str) else ""
    name = _OLD_NAMES.get(name, name)
    return name if name in _TARGETS else "esnext"


def _libraries(wanted: object, library: Path) -> list[str]:
    names = [each.lower() for each in wanted if isinstance(each, str)] if isinstance(wanted, list) else []
    names = [_OLD_NAMES.get(name, name) for name in names]
    return [
        name
        for name in dict.fromkeys(names)
        if _LIBRARY.fullmatch(name) and (library / f"lib.{name}.d.ts").is_file()
    ]
