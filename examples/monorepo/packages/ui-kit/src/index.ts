/**
 * Elements of Acme's web pages, without a framework.
 *
 * @packageDocumentation
 */
export { element, mount } from "./element.js";
export type { Attributes, Child, Mounted } from "./element.js";
export * from "./theme.js";
export { default as Dialog, type DialogResult } from "./dialog.js";
export { Store as SharedState, type Listener } from "./internal/store.js";
export * as keys from "./keys.js";
export type { Money } from "./money.js";
