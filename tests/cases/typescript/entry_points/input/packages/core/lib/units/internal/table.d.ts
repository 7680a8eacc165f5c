export declare const factors: number[];
