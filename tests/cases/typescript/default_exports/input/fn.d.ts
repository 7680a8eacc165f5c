/** Does it. */
export default function run(x: string): void;
export default function run(x: number): void;
