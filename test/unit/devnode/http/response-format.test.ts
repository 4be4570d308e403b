import { expect, test } from "vitest";
import { formatOf } from "../../../../devnode/http/response-format.ts";

test.each([
  [null, "json"],
  ["application/x-bcs, application/json", "bcs"],
  ["text/html", "json"],
] as const)("Accept %o is answered in %s", (accept, format) => {
  expect(formatOf(accept)).toBe(format);
});
