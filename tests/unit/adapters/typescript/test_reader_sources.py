"""What sources state, and what is plain without being stated."""

from __future__ import annotations

import pytest
from unit.adapters.typescript.reading import facts, lines, marked

#: Snippet → what is read of it.
_SOURCES = {
    "export const LIMIT = 10, NAME = 'x', on = true, none = null;\nexport let n = 1, t = `a${b}`, s = '';": [
        "export const LIMIT = 10 [= 10]",
        'export const NAME = "x" [= "x"]',
        "export const on = true [= true]",
        "export const none: null [= null]",
        "export let n: number",
        "export let t: string",
        "export let s: string",
    ],
    "export const NAMES = ['a', 'b'] as const, xs = [1, 2], ys = [1, 'a'], none = [];": [
        'export const NAMES: readonly ["a", "b"]',
        "export const xs: number[]",
        "export const ys",
        "export const none",
    ],
    "export const big = 60 * 60 * 1000, yes = !x, cmp = a === b, un = -1, re = /x/, called = String(x);": [
        "export const big: number",
        "export const yes: boolean",
        "export const cmp: boolean",
        "export const un = -1 [= -1]",
        "export const re: «RegExp»",
        "export const called: string",
    ],
    "class G<T> {}\nexport const a = new Foo<string>(1), m = new Map<A, B>(), n = new Map(), g = new G(x);": [
        "class G<T>",
        "export const a: «Foo»<string>",
        "export const m: «Map»<«A», «B»>",
        "export const n",
        "export const g",
    ],
    "export const other = _other, member = ns.a, key = Symbol('x'), cast = x as unknown as Y, c = <Z>x, f = call();": [
        "export const other: typeof «=_other»",
        "export const member: typeof «=ns.a»",
        "export const key: unique symbol",
        "export const cast: «Y»",
        "export const c: «Z»",
        "export const f",
    ],
    "export const add = (a: number, b = 2): number => a + b, log = async (x?: string) => { console.log(x); };": [
        "export const add: (a: number, b?: number) => number [b = 2]",
        "export const log: (x?: string) => «Promise»<void>",
    ],
    "export const what = <T,>(x: T) => go(x);": ["export const what: <T>(x: T) => any"],
    "export const api = {\n /** Gets. */ get(id: Id): User { return { id }; },\n n: 1, f: (x: A) => 'x', helper,\n"
    " nested: { a: true } };": [
        "export const api:",
        "  get(id: «Id»): «User» -- 'Gets.'",
        "  n: number",
        "  f: (x: «A») => string",
        "  helper: typeof «=helper»",
        "  nested: { a: boolean }",
    ],
    "export const frozen = { a: 1, b: ['x', { c: null }] } as const;\nexport const spread = { ...frozen };": [
        "export const frozen:",
        "  readonly a: 1",
        '  readonly b: readonly ["x", { readonly c: null }]',
        "export const spread",
    ],
    "export function f(a: number, b: string = 'x', c?: A, { d = 1, e: [g] }: B = {}): void {}": [
        "export function f(a: number, b?: string, c?: «A», { d, e: [g] }?: «B»): void [b = 'x', { d, e: [g] } = {}]"
    ],
    "export function f(a = 1, b: string, ...rest: X[]) {}": [
        "export function f(a: number | undefined, b: string, ...rest: «X»[]): void [a = 1]"
    ],
    "export function f(a = 'a long default that nobody wants to read in an interface at all') { return a; }": [
        "export function f(a?: string) [a = …]"
    ],
    "export function one() { return 1; }\nexport function two() { if (a) { return 1; } return 2; }\n"
    "export async function three() { await x; }\nexport function* four(): Generator<A> { yield 1; }\n"
    "export function five() { xs.map(function () { return 1; }); }\nexport const six = () => { throw e; };": [
        "export function one(): number",
        "export function two()",
        "export function three(): «Promise»<void>",
        "export function four(): «Generator»<«A»>",
        "export function five(): void",
        "export const six: () => never",
    ],
    "function g(a: string): void;\nfunction g(a: number): void;\nfunction g(a: any) { return a; }\nexport function h() {}": [
        "function g(a: string): void",
        "function g(a: number): void",
        "export function h(): void",
    ],
    "@Injectable({ a: 1 })\nexport class M extends Base<T> {\n @Input() host: string = 'x';\n readonly kind = 'k'; n = 1;\n"
    " #secret = 1; private helper(a: A) {}\n constructor(private readonly inner: T, public size = 0, x: X) { super(); }\n"
    " static async *gen(): AsyncGenerator<A> {}\n get v() { return 'x'; } set v(x) {}\n"
    " m(a: string): void; m(a: any) {}\n override o(): void {} static { } accessor acc = 1;\n}": [
        "export @Injectable({ a: 1 }) class M extends «=Base»<«T»>",
        "  #private",
        "  private readonly inner",
        "  size: number",
        "  @Input() host: string",
        '  readonly kind: "k" [= "k"]',
        "  n: number",
        "  private helper",
        "  constructor(inner: «T», size: number | undefined, x: «X») [size = 0]",
        "  static gen(): «AsyncGenerator»<«A»>",
        "  get v(): string",
        "  set v(x)",
        "  m(a: string): void",
        "  o(): void",
        "  accessor acc: number",
    ],
    "abstract class A { protected abstract x: string; abstract m(): void; protected constructor(); }": [
        "abstract class A",
        "  protected abstract x: string",
        "  abstract m(): void",
        "  protected constructor()",
    ],
    "export default { a: 1 };": ["const _default:", "  a: number", "> _default as default from -"],
    "export default () => 1;": ["const _default: () => number", "> _default as default from -"],
    "export default async function () {}": ["export default function (): «Promise»<void>"],
    "export default class {}": ["export default class"],
    "export = { a, b };": [
        "const _default:",
        "  a: typeof «=a»",
        "  b: typeof «=b»",
        "> _default as = from -",
    ],
    "export const { p, q: [r, ...s], t = 1 } = foo;": [
        "export const p",
        "export const r",
        "export const s",
        "export const t",
    ],
    "namespace X { export type A = 1; const hidden = 2; }\ndeclare namespace Y { const shown: 2; }": [
        "namespace X",
        "  export type A = 1",
        "  const hidden = 2 [= 2]",
        "  > - as - from -",
        "namespace Y",
        "  const shown: 2",
    ],
}

_JAVASCRIPT = {
    "/**\n * @template {object} T\n * @param {T} a\n * @param {number} [b=2]\n * @param {...string} rest\n"
    " * @returns {Promise<T>}\n */\nexport function add(a, b, ...rest) { return x; }\n// end": [
        "export function add<T extends object>(a: T, b?: number, ...rest: string[]): «Promise»<T> [b = 2]"
    ],
    "/** @typedef {Object} O\n * @property {string} name - Its name.\n * @property {?Foo} [size]\n */\n"
    "/** @callback Done\n * @param {Error|null} e\n * @param {Array.<String>=} d\n */": [
        "export type O =",
        "  name: string -- 'Its name.'",
        "  size?: «Foo» | null",
        "export type Done = (e: «Error» | null, d?: «Array»<string>) => any",
    ],
    "/** @type {import('./x').Y<string>} */\nexport const y = make();": [
        'export const y: «"./x".Y»<string> -- "@type {import(\'./x\').Y<string>}"'
    ],
    "const { a, b: c } = require('fs');\nconst p = require('path');\nconst z = require('./z').Z;": [
        "import a as a from fs",
        "import b as c from fs",
        "import = as p from path",
        "import Z as z from ./z",
    ],
    "exports.a = exports.b = void 0;\nexports.a = a;\nexports.f = function (x) {};\nmodule.exports.n = 1;": [
        "export function f(x): void",
        "export const n = 1 [= 1]",
        "> a as a from -",
    ],
    "module.exports = { A, b: A, c() { return 1; }, ...require('./f') };": [
        "export function c(): number",
        "> A as A from -",
        "> A as b from -",
        "> * as * from ./f",
    ],
    "module.exports = class Foo {};": ["class Foo", "> Foo as = from -"],
    "class B { constructor(n) { /** @type {string} */ this.a = n; this.b = 1; /** @private */ this.c = 2; } }": [
        "class B",
        "  a: string -- '@type {string}'",
        "  b: number",
        "  private c -- '@private'",
        "  constructor(n)",
    ],
    '"use strict";\nObject.defineProperty(exports, "re", { enumerable: true, get: function () { return m_1.re; } });\n'
    '__exportStar(require("./star"), exports);': ["> m_1.re as re from -", "> * as * from ./star"],
}


@pytest.mark.parametrize("snippet", _SOURCES)
def test_sources(snippet: str) -> None:
    assert lines(facts(snippet, ".ts")) == _SOURCES[snippet]


@pytest.mark.parametrize("snippet", _JAVASCRIPT)
def test_javascript(snippet: str) -> None:
    assert [each.partition(" -- '@template")[0] for each in lines(facts(snippet, ".js"))] == _JAVASCRIPT[
        snippet
    ]


def test_files_with_jsx_are_read_without_their_elements() -> None:
    text = "export function App({ name }: Props): JSX.Element { return <div a={1}>{name}</div>; }\nexport const el = <A />;"
    assert lines(facts(text, ".tsx")) == [
        "export function App({ name }: «Props»): «JSX.Element»",
        "export const el",
    ]


def test_a_source_says_whether_types_were_left_to_inference() -> None:
    assert not facts(
        "export const a = 1; export function f(): void {} function g() { return f(); }", ".ts"
    ).is_inferred
    assert facts("export const a = f();", ".ts").is_inferred
    assert facts("class A { m() { return f(); } }\nexport { A };", ".ts").is_inferred
    assert not facts("export declare function f();", ".d.ts").is_inferred


_R05 = """\
import Injectable as Injectable from ./di
import Input as Input from ./di
export @Injectable() class Mailer implements «Sender»
  @Input() host: string
  @Log("send") send(to: string, opts?: { cc?: string }): «Promise»<void> [opts = {}]"""

_R11 = """\
export type Id = string | number
export interface User
  id: «Id»
  name?: string -- 'shown in lists'
export function parse(x: string): «User» -- 'Parse text.'
export function parse(x: number, strict: true): «User»
export const add: (a: number, b?: number) => number [b = 2]
export const LIMIT = 10 [= 10]
export const NAMES: readonly ["a", "b"]
export const api:
  get(id: «Id»): «User»
export function opts({ a, b }?: { a?: number; b?: { c: number } }): { ok: boolean } [{ a, b } = {}]
export default class Box<T extends object = {}> extends «=Base»<T> implements «Sized», «Named»
  #private
  private readonly inner
  size: number
  static readonly kind: "box" [= "box"]
  constructor(inner: T, size?: number) [size = 0]
  get value(): T
  abstract area(): number
> * as * from ./more
> helper as h from ./helper"""

R05 = """\
import { Injectable, Input } from "./di";

@Injectable()
export class Mailer implements Sender {
  @Input()
  host: string = "localhost";

  @Log("send")
  async send(to: string, opts: { cc?: string } = {}): Promise<void> {
    await this.go(to, opts);
  }
}
"""

R11 = """\
export type Id = string | number;

export interface User {
  id: Id;
  /** shown in lists */
  name?: string;
}

/** Parse text. */
export function parse(x: string): User;
export function parse(x: number, strict: true): User;
export function parse(x: any, strict?: boolean): User {
  return { id: x };
}

export const add = (a: number, b: number = 2): number => a + b;
export const LIMIT = 10, NAMES = ["a", "b"] as const;
export const api = {
  get(id: Id): User { return { id }; },
};

export function opts({ a = 1, b = { c: 2 } }: { a?: number; b?: { c: number } } = {}): { ok: boolean } {
  return { ok: true };
}

export default class Box<T extends object = {}>
  extends Base<T>
  implements Sized, Named
{
  static readonly kind = "box";
  #secret = 1;
  constructor(private readonly inner: T, public size = 0) { super(); }
  get value(): T { return this.inner; }
  abstract area(): number;
}

export * from "./more";
export { helper as h } from "./helper";
"""


@pytest.mark.parametrize(("text", "shown"), [(R05, _R05), (R11, _R11)], ids=["r05", "r11"])
def test_what_other_tools_break_on(text: str, shown: str) -> None:
    assert "\n".join(lines(facts(text, ".ts"))) == shown


def test_parameters_know_their_defaults() -> None:
    (fact,) = facts("export function f(a: string, b = 2, { c = 1 } = {}): void {}", ".ts").declarations
    assert [(each.name, each.kind, marked(each.annotation), each.default) for each in fact.parameters] == [
        ("a", "positional_only", "string", None),
        ("b", "optional", "number", "2"),
        ("{ c }", "optional", "{}", "{}"),
    ]
