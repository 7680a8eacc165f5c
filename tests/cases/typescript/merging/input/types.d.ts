export interface Mixed { from: "types" }
