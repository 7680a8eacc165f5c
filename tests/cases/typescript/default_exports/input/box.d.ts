declare class Box { size: number }
declare namespace Box { type Lid = "on" | "off" }
export default Box;
export { Box };
