import { Button, type ButtonProps } from "./parts/button.js";
import { join } from "./join.js";

export { Button as default, join };
export type { ButtonProps };

/** Renders. */
export function render(target: string, options: { depth?: number } = {}, retries = 3): Promise<Button> {
  return Promise.reject(new Error(join(target, String(options.depth), retries)));
}

export const version = "1.0";
export const inferred = new Map<string, Button>();

const notExported = 1;
