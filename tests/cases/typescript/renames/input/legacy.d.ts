export { Kept as OldName, Internal } from "./impl.js";
