import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";

test("three hundred at once from one caller are admitted exactly sixty times", async () => {
  const answers = await Promise.all(
    Array.from({ length: 300 }, () =>
      exports.default.fetch("https://edge.example/api/max-supply", { headers: { "CF-Connecting-IP": "203.0.113.1" } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(240);
  const other = await exports.default.fetch("https://edge.example/api/max-supply", {
    headers: { "CF-Connecting-IP": "203.0.113.2" },
  });
  expect(other.status).not.toBe(429);
});
