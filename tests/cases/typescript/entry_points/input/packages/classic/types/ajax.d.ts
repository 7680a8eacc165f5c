export declare function get(url: string): Promise<string>;
