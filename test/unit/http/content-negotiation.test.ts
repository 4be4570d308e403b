import { expect, test } from "vitest";
import { preferredMediaType } from "../../../src/http/content-negotiation.ts";

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
  ["image/png", "application/json"],
  ["text/plain; charset=utf-8", "text/plain"],
])("Accept %j gets %s", (accept, type) => {
  expect(preferredMediaType(accept, OFFERED)).toBe(type);
});
