import { expect, test } from "vitest";
import { bodyTag, ok } from "../../../src/http/reply.ts";

test("ok is a 200 with the headers and the body given", () => {
  const headers = { "Content-Type": "text/plain" };
  expect(ok("7", headers)).toEqual({ kind: "reply", status: 200, headers, body: "7" });
});

test("a tag is quoted, and changes with the document and with any character of its body", () => {
  const tags = [bodyTag("rates", "[]"), bodyTag("feed", "[]"), bodyTag("rates", "[1]"), bodyTag("rates", "[2]")];
  expect(new Set(tags).size).toBe(4);
  for (const tag of tags) expect(tag).toMatch(/^"[a-z]+-[0-9a-f]+-[0-9a-z]+"$/);
  expect(bodyTag("rates", "[]")).toBe(tags[0]);
});
