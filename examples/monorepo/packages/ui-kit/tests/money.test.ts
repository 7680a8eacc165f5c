import assert from "node:assert/strict";
import { test } from "node:test";

import { format, sum } from "../src/money.js";

test("amounts of one currency are added", () => {
  assert.deepEqual(sum({ amount: 1, currency: "EUR" }, { amount: 2, currency: "EUR" }), { amount: 3, currency: "EUR" });
});

test("amounts of different currencies are not", () => {
  assert.throws(() => sum({ amount: 1, currency: "EUR" }, { amount: 2, currency: "USD" }), RangeError);
});

test("an amount is written as people write it", () => {
  assert.equal(format({ amount: 1234, currency: "USD" }, "en-US"), "$12.34");
});
