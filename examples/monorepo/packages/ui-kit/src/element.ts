/** What an element has besides its children; `undefined` and `false` leave an attribute out. */
export interface Attributes {
  [name: string]: string | number | boolean | undefined;
  /** Names of CSS classes, joined by spaces. */
  class?: string;
}

/** What may stand inside an element. */
export type Child = Node | string | number | null | undefined | readonly Child[];

/** An element that is on the page. */
export interface Mounted<E extends Element = HTMLElement> {
  readonly element: E;
  /** Take it off the page; doing it twice does nothing. */
  unmount(): void;
}

/**
 * Make an element.
 *
 * @param tag - Its name, as HTML has it.
 * @param attributes - Its attributes; those that are `undefined` or `false` are left out.
 * @param children - What is inside. Text is never taken for HTML.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes?: Attributes,
  ...children: Child[]
): HTMLElementTagNameMap[K];
/** Make an element that HTML does not know. */
export function element(tag: string, attributes?: Attributes, ...children: Child[]): HTMLElement;
export function element(tag: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      made.setAttribute(name, String(value));
    }
  }
  append(made, children);
  return made;
}

function append(parent: Node, child: Child): void {
  if (child === null || child === undefined) {
    return;
  }
  if (Array.isArray(child)) {
    child.forEach((each: Child) => append(parent, each));
  } else {
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * Put an element on the page.
 *
 * @param made - The element; it is moved if it is somewhere already.
 * @param where - A CSS selector, or the element to put it into.
 * @throws {@link RangeError} Nothing answers to the selector.
 */
export function mount<E extends Element>(made: E, where: string | Element = "body"): Mounted<E> {
  const parent = typeof where === "string" ? document.querySelector(where) : where;
  if (parent === null) {
    throw new RangeError(`nothing on the page answers to ${where}`);
  }
  parent.append(made);
  return { element: made, unmount: () => made.remove() };
}
