import { expect, test } from "vitest";
import { requestIdGenerator } from "../../../src/http/request-id.ts";

test("ids of one isolate share one random part, which is drawn with the first request, and never repeat", () => {
  let drawn = 0;
  const next = requestIdGenerator(() => `0123abcd-4567-${++drawn}`);
  expect(drawn).toBe(0);
  const ids = Array.from({ length: 100 }, next);
  expect(new Set(ids).size).toBe(100);
  expect(drawn).toBe(1);
  for (const id of ids) expect(id).toMatch(/^0123abcd-4567-[0-9a-z]+$/);
});
