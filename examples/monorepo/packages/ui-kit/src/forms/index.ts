import type { Child } from "../element.js";
import { element } from "../element.js";

export { required, within, type Rule } from "./rules.js";
import type { Rule } from "./rules.js";

declare global {
  interface HTMLElementEventMap {
    /** An `acme-field` was left with a value that its rules allow. */
    "acme-change": CustomEvent<{ name: string; value: string }>;
  }
}

/** What a field is made of. */
export interface FieldOptions<V = string> {
  /** Shown beside it; read aloud, too. */
  label: Child;
  /** What it has at the beginning. */
  initial?: V;
  /** All of them must hold; the first that does not is shown. */
  rules?: readonly Rule<V>[];
}

/** A field of a form. */
export class Field<V = string> {
  readonly element: HTMLLabelElement;
  private current: V | undefined;

  constructor(
    public readonly name: string,
    protected readonly options: FieldOptions<V>,
  ) {
    this.current = options.initial;
    this.element = element("label", { for: name }, options.label);
  }

  /** What it holds now; `undefined` while it is empty. */
  get value(): V | undefined {
    return this.current;
  }

  set value(value: V | undefined) {
    this.current = value;
  }

  /** What is wrong with its value, for people to read; empty if nothing is. */
  check() {
    const value = this.current;
    return (this.options.rules ?? []).map((rule) => rule(value)).find((problem) => problem !== "") ?? "";
  }
}

/**
 * Send the values of some fields.
 *
 * @param url - Where to; of the same origin.
 * @param fields - Those whose values are sent, by name. All are checked before.
 * @throws {@link TypeError} A field's rules do not hold.
 */
export async function submit(
  url: string,
  fields: readonly Field<any>[],
  { method = "POST", signal }: { method?: "POST" | "PUT"; signal?: AbortSignal } = {},
): Promise<Response> {
  const problems = fields.map((field) => field.check()).filter((problem) => problem !== "");
  if (problems.length > 0) {
    throw new TypeError(problems.join("; "));
  }
  const values = Object.fromEntries(fields.map((field) => [field.name, field.value]));
  return fetch(url, { method, signal, body: JSON.stringify(values) });
}
