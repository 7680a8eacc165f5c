/** Adds two numbers; for `import`. */
export declare function add(a: number, b: number): number;
