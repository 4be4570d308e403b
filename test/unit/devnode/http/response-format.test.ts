import { expect, test } from "vitest";
import { formatOf } from "../../../../devnode/http/response-format.ts";

test.each([
  [null, "json"],
  ["*/*", "json"],
  ["text/html", "json"],
  ["application/json", "json"],
  ["application/x-bcs", "bcs"],
  ["APPLICATION/X-BCS", "bcs"],
  ["application/json, application/x-bcs", "json"],
  ["application/x-bcs, application/json", "bcs"],
  ["application/json;q=0.5, application/x-bcs", "bcs"],
  ["application/json, application/x-bcs;q=0.9", "json"],
  ["application/x-bcs;q=0", "json"],
  ["application/x-bcs;q=nonsense, text/html", "json"],
  ["text/html, application/x-bcs;q=0.1", "bcs"],
] as const)("Accept %o is answered in %s", (accept, format) => {
  expect(formatOf(accept)).toBe(format);
});
