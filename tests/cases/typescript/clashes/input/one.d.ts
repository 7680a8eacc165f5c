interface Options { one: 1 }
export declare function one(options: Options): Map<string, Options>;
export {};
