/** Lives in the main module, which has the shorter name. */
export declare function both(): void;
export declare function second(): void;
