import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { OUTCOME_CODES, outcomeOf } from "../../../src/gateway/model/outcomes.ts";
import { unanswered } from "../../../src/gateway/request/node-errors.ts";

/** Not of a node: the others are what metrics and logs have. */
const codes = OUTCOME_CODES.filter((code) => code !== "no_shield");

test("operations.md has every outcome, in order, with its attempts and what callers are told", () => {
  const rows = readFileSync("docs/operations.md", "utf8").matchAll(
    /^\| `([a-z_]+)` +\| [^|]+\| (\d) +\| (\d{3}(?:, \d+ s)?) +\|$/gm,
  );
  const documented = [...rows].map(([, code, tries, told]) => ({ code, tries, told }));
  const table = codes.map((code) => {
    const { tries, callerMessage } = outcomeOf(code);
    return {
      code,
      tries: String(tries),
      told: callerMessage[1] === null ? String(callerMessage[0]) : `${callerMessage[0]}, ${callerMessage[1]} s`,
    };
  });
  expect(documented).toEqual(table);
});

test.each(OUTCOME_CODES)("what is said of %s is one or two sentences, with no address and no gap", (code) => {
  const { message, status, retryAfterSeconds } = unanswered(code, 418);
  expect(message).toMatch(/^[A-Z][^{}]+\.$/);
  expect(message).not.toContain("null");
  // A 502 is not to be repeated, a 503 is.
  expect(retryAfterSeconds === null).toBe(status === 502);
});
