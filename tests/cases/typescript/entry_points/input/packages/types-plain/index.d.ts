export function run(): number;
