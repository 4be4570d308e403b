import { expect, test } from "vitest";
import { namedMediaType, prefersText } from "../../../src/http/content-negotiation.ts";

test.each([
  [null, false],
  ["*/*", false],
  ["", false],
  ["text/plain", true],
  ["text/*", true],
  ["TEXT/PLAIN", true],
  ["text/plain;q=0.5, application/json", false],
  ["text/plain, application/json;q=0.9", true],
  ["text/plain, application/json", false],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false],
  ["application/json;q=0, */*", true],
  ["text/plain;q=0", false],
  ["text/plain;q=abc", false],
  ["text/plain;q=7", false],
  ["text/plain;q=1.5, application/json;q=0.1", false],
  ["text/plain;q=1.000, application/json;q=0.999", true],
  ["image/png", false],
  ["text/plain; charset=utf-8", true],
])("Accept %j prefers text to JSON: %s", (accept, isText) => {
  expect(prefersText(accept)).toBe(isText);
});

test.each([
  [null, "application/json"],
  ["*/*", "application/json"],
  ["application/*", "application/json"],
  ["application/x-bcs", "application/x-bcs"],
  ["APPLICATION/X-BCS", "application/x-bcs"],
  ["application/json, application/x-bcs", "application/json"],
  ["application/x-bcs, application/json", "application/x-bcs"],
  ["application/json;q=0.5, application/x-bcs", "application/x-bcs"],
  ["application/json, application/x-bcs;q=0.9", "application/json"],
  ["application/x-bcs;q=0", "application/json"],
  ["application/x-bcs;q=nonsense, text/html", "application/json"],
  ["text/html, application/x-bcs;q=0.1", "application/x-bcs"],
])("of the types that Accept %j names, the node serves %s", (accept, type) => {
  expect(namedMediaType(accept, ["application/json", "application/x-bcs"])).toBe(type);
});
