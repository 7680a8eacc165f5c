export declare const metre: unique symbol;
