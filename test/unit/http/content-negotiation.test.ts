import { expect, test } from "vitest";
import { namedMediaType, preferredMediaType } from "../../../src/http/content-negotiation.ts";

const OFFERED = ["application/json", "text/plain"];

test.each([
  [null, "application/json"],
  ["*/*", "application/json"],
  ["", "application/json"],
  ["text/plain", "text/plain"],
  ["text/*", "text/plain"],
  ["TEXT/PLAIN", "text/plain"],
  ["text/plain;q=0.5, application/json", "application/json"],
  ["text/plain, application/json;q=0.9", "text/plain"],
  ["text/plain, application/json", "application/json"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json"],
  ["application/json;q=0, */*", "text/plain"],
  ["text/plain;q=0", "application/json"],
  ["text/plain;q=abc", "application/json"],
  ["text/plain;q=7", "application/json"],
  ["text/plain;q=1.5, application/json;q=0.1", "application/json"],
  ["text/plain;q=1.000, application/json;q=0.999", "text/plain"],
  ["image/png", "application/json"],
  ["text/plain; charset=utf-8", "text/plain"],
])("Accept %j gets %s", (accept, type) => {
  expect(preferredMediaType(accept, OFFERED)).toBe(type);
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
