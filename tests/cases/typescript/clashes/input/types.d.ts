export type T = "types.T";
export type Item = "types.Item";
