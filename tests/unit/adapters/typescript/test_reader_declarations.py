"""What declaration files state, snippet by snippet."""

from __future__ import annotations

import pytest
from unit.adapters.typescript.reading import facts, lines, marked

#: Snippet → what is read of it.
_DECLARATIONS = {
    "export declare function f<T extends A = B>(this: X, x?: string, ...rest: ns.C<T>[]): x is User;": [
        "export function f<T extends «A» = «B»>(this: «X», x?: string, ...rest: «ns.C»<T>[]): x is «User»"
    ],
    "declare function f(a: A): void;\ndeclare function f(b: B): typeof b;": [
        "function f(a: «A»): void",
        "function f(b: «B»): typeof b",
    ],
    "export declare const a: 1, b: A;\ndeclare let c: string;": [
        "export const a: 1",
        "export const b: «A»",
        "let c: string",
    ],
    "export declare const LIMIT = 10;": ["export const LIMIT = 10 [= 10]"],
    "declare const sym: unique symbol;": ["const sym: unique symbol"],
    "export declare const api: {\n  get(id: Id): User\n  readonly n?: number,\n};": [
        "export const api:",
        "  get(id: «Id»): «User»",
        "  readonly n?: number",
    ],
    "type U =\n  | 'a'\n  | \"b\"\n  | { a: string\n b?: X, };": [
        "type U = 'a' | \"b\" | { a: string; b?: «X» }",
    ],
    "type O<T> = { a: T; /** The b. */ b(): void };": ["type O<T> =", "  a: T", "  b(): void -- 'The b.'"],
    "type M<T> = { readonly [K in keyof T as `x${K}`]-?: T[K] };": [
        "type M<T> = { readonly [K in keyof T as `x${K}`]-?: T[K] }"
    ],
    "type C<T> = T extends (infer U extends V)[] ? U : U;": [
        "type C<T> = T extends (infer U extends «V»)[] ? U : «U»"
    ],
    "type Q = typeof a.b.c | import('./y').Z<string> | typeof import(\"x\");": [
        'type Q = typeof «=a.b.c» | «"./y".Z»<string> | typeof «="x"»'
    ],
    'type I = import("x", { with: { "resolution-mode": "import" } }).A.B[];': ['type I = «"x".A.B»[]'],
    "type F = (abstract new <T>(x: T, y: U) => V) | (<T>(x: T) => asserts x is V);": [
        "type F = (abstract new <T>(x: T, y: «U») => «V») | (<T>(x: T) => asserts x is «V»)"
    ],
    "type T = [first: A, second?: B, ...rest: C[]];": ["type T = [first: «A», second?: «B», ...rest: «C»[]]"],
    "type S = `a  ${A}  b`;": ["type S = `a  ${«A»}  b`"],
    "type N = Foo<\n  // a comment\n  A,\n  B, // another\n>;": ["type N = «Foo»<«A», «B»>"],
    "type D = { a: { /** Inner. */ b: string } } | null;": [
        "type D = { a: { /** Inner. */ b: string } } | null",
    ],
    "interface A<in out T> extends B<T>, N.C {\n (x: T): string;\n new (x: number): Foo;\n [k: string]: unknown;\n"
    " get z(): T; set z(v: T);\n m?<U>(u: U): this;\n [Symbol.iterator](): X;\n 'a-b': 1 }": [
        "interface A<in out T> extends «B»<T>, «N.C»",
        "  (x: T): string",
        "  new (x: number): «Foo»",
        "  [k: string]: unknown",
        "  get z(): T",
        "  set z(v: T)",
        "  m?<U>(u: U): this",
        "  [«=Symbol.iterator»](): «X»",
        "  'a-b': 1",
    ],
    "export declare abstract class C<T> extends B<T> implements I, N.J {\n #private;\n private x; private constructor();\n"
    " protected abstract foo(): void;\n static readonly k: 'k';\n accessor a: string; static accessor b: T;\n"
    " declare d: D; override e?: E; static { }\n}": [
        "export abstract class C<T> extends «=B»<T> implements «I», «N.J»",
        "  #private",
        "  private x",
        "  private constructor()",
        "  protected abstract foo(): void",
        "  static readonly k: 'k'",
        "  accessor a: string",
        "  static accessor b: T",
        "  d: «D»",
        "  e?: «E»",
    ],
    "declare enum E { A = 1, /** b */ B, 'c-d' = 'x', D /** behind */ }\nexport const enum F {}": [
        "enum E",
        "  A = 1",
        "  B -- 'b'",
        "  'c-d' = 'x'",
        "  D -- 'behind'",
        "export const enum F",
    ],
    "declare namespace A.B { const q: string; export { q as r }; import X = C.D; }": [
        "namespace A",
        "  export namespace B",
        "    import C.D as X from -",
        "    const q: string",
        "    > q as r from -",
    ],
    'declare module "x" { export default foo; global { interface W {} } }\ndeclare module "y";': [
        'module "x"',
        "  global",
        "    interface W",
        "  > foo as default from -",
        'module "y"',
    ],
    "declare global { interface W { a: string } }\nexport {};": [
        "global",
        "  interface W",
        "    a: string",
        "> - as - from -",
    ],
    "export default function (a: A): void;": ["export default function (a: «A»): void"],
    "export default class extends B {}": ["export default class extends «=B»"],
    "export default abstract class {}": ["export default abstract class"],
    "export default interface I {}": ["export default interface I"],
    "declare const _default: A;\nexport default _default;": [
        "const _default: «A»",
        "> _default as default from -",
    ],
    "export default a.b;": ["> a.b as default from -"],
}

_STATEMENTS = {
    "import a, { b as c, type D } from './m'; import type { E } from 'e';": [
        "import default as a from ./m",
        "import b as c from ./m",
        "import type D as D from ./m",
        "import type E as E from e",
    ],
    "import * as ns from 'n'; import 'side'; import json from './x.json' with { type: 'json' };": [
        "import * as ns from n",
        "import - as - from side",
        "import default as json from ./x.json",
    ],
    "import x = require('y'); import type X = require('z'); export import Q = B.C;": [
        "import = as x from y",
        "import type = as X from z",
        "export import B.C as Q from -",
    ],
    "export import x = require('y'); import type A = B.C; export import type Z = require('z');": [
        "export import = as x from y",
        "import type B.C as A from -",
        "export import type = as Z from z",
    ],
    "export = x.y; export as namespace Foo;": ["> x.y as = from -", "> umd - as Foo from -"],
    "export * from 'r'; export * as z from 'q'; export type * from './t'; export type * as u from './u';": [
        "> * as * from r",
        "> * as z from q",
        "> type * as * from ./t",
        "> type * as u from ./u",
    ],
    "export { a as 'b-c', type T, default } from 'k'; export type { U } from 'u';": [
        "> a as b-c from k",
        "> type T as T from k",
        "> default as default from k",
        "> type U as U from u",
    ],
    "export { a } from 'x' with { type: 'json' };\nexport { type, type Type, in as inner };": [
        "> a as a from x",
        "> type as type from -",
        "> type Type as Type from -",
        "> in as inner from -",
    ],
}


@pytest.mark.parametrize("snippet", _DECLARATIONS)
def test_declarations(snippet: str) -> None:
    assert lines(facts(snippet)) == _DECLARATIONS[snippet]


@pytest.mark.parametrize("snippet", _STATEMENTS)
def test_imports_and_exports(snippet: str) -> None:
    assert lines(facts(snippet)) == _STATEMENTS[snippet]


def test_a_file_without_imports_and_exports_is_global() -> None:
    found = facts('/// <reference types="node" />\n/// <reference path="./x.d.ts"/>\ninterface A {}')
    assert not found.is_module
    assert found.references == (("types", "node"), ("path", "./x.d.ts"))
    assert facts("export {};").is_module
    assert facts("import 'x';").is_module
    assert not facts("import A = B.C;").is_module


def test_comments_of_files_and_licences_are_not_a_declarations() -> None:
    found = facts(
        "/**\n * @license MIT\n */\n/**\n * All about it.\n * @packageDocumentation\n */\nexport declare const a: 1;"
    )
    assert found.doc == "All about it.\n@packageDocumentation"
    assert found.declarations[0].doc is None


def test_licences_stand_at_the_head_only() -> None:
    licence = "/** Useful.\n * @copyright somebody\n */\n"
    found = facts(f"{licence}export type A = 1;\n{licence}export type B = 2;\n")
    assert [each.doc for each in found.declarations] == [None, "Useful.\n@copyright somebody"]


def test_the_last_comment_documents() -> None:
    found = facts(
        "/** First. */\n/**\n * Second:\n *   - indented\n *\n * @deprecated use\n *   `b`\n * @internal\n */\ndeclare const a: 1;"
    )
    (fact,) = found.declarations
    assert fact.doc == "Second:\n  - indented\n\n@deprecated use\n  `b`\n@internal"
    assert fact.deprecated == "use `b`"
    assert fact.is_internal


def test_parameters_and_types_are_kept_apart() -> None:
    (fact,) = facts("declare function f<T>(a: T, b?: Map<string, T>, ...c: X[]): Promise<T>;").declarations
    assert [(each.name, each.kind, marked(each.annotation)) for each in fact.parameters] == [
        ("a", "positional_only", "T"),
        ("b", "optional", "«Map»<string, T>"),
        ("c", "var_positional", "«X»[]"),
    ]
    assert marked(fact.returns) == "«Promise»<T>"
    assert marked(fact.type_params) == "<T>"


def test_lines_are_those_of_the_declaration() -> None:
    found = facts("/** Doc. */\nexport declare class A {\n\n  b: string;\n}\n")
    assert [
        (each.line, each.end_line) for each in (found.declarations[0], *found.declarations[0].members)
    ] == [
        (2, 5),
        (4, 4),
    ]


#: What the grammar lacks; each must be read without trouble.
_GAPS = (
    "export type * from './a';",
    "export { type, type Ark } from './k';",
    "declare class A { static accessor x: string; protected abstract accessor y: number; }",
    "interface A<in T, out U, in out V, const W> {}",
    "interface A<\n/** @ts-ignore */\nout T extends X = X> {}",
    'type A = import("x").T<string>["a"];',
    "interface A { abstract: boolean; abstract(): void; declare: string; readonly: 1; type: 2; get: 3; set(): void; static?: 4; is(x: any): x is A }",
    "declare class A { accessor: 1; accessor?: 2; abstract?: 1; accessor(): void }",
    "export default function (): { a: string };",
    "type A = { [K in keyof readonly any[]]?: boolean };",
    "declare namespace string { type module = string.sub; }\ndeclare const a: number.module;",
    "type A = type.infer<string>;",
    "interface A { using(using: string): this; }",
    "type A = `a \\`${T}\\` b` | `$\\{${T}\\}`;",
    "declare module 'b' { global { const x: 1; } }",
    "import defer * as x from 'y';",
    "export { in as a, of as b };",
    "declare class A { static [key: string]: any; static readonly [k: `a${string}`]: 1 }",
)


@pytest.mark.parametrize("snippet", _GAPS)
def test_what_the_grammar_lacks_is_no_trouble(snippet: str) -> None:
    found = facts(snippet)
    assert found.troubles == ()
    assert not any(each.degraded for each in found.declarations)


def test_exported_names_have_comments_of_their_own() -> None:
    found = facts("export { /** @internal */ type A as B, /** Two. */ C } from './b';")
    assert [(each.name, each.doc) for each in found.exports] == [("B", "@internal"), ("C", "Two.")]
