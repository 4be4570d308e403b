import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";

test("answers", async () => {
  const response = await exports.default.fetch("http://node/v1");
  console.log(response.status, await response.text(), [...response.headers]);
  const r2 = await exports.default.fetch("http://node/mint?address=0xabc&amount=5", { method: "POST" });
  console.log(r2.status, await r2.text());
  const r3 = await exports.default.fetch("http://node/v1/transactions");
  console.log(r3.status, (await r3.text()).slice(0, 3000));
  expect(1).toBe(1);
});
