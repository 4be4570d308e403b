import { expect, test } from "vitest";
import { withPeriodsRefused } from "../../../src/compose/requested-periods.ts";
import { ok } from "../../../src/http/reply.ts";
import { getContext } from "../../support/get-context.ts";

const handler = () => ok("served", {});
const routes = withPeriodsRefused([
  { path: "/both", period: "month and date", handler },
  { path: "/day", period: "date", handler },
  { path: "/any", period: "any", handler },
  { path: "/none", handler },
]);
const TAKING = "/both takes month and date; /day takes date";

test.each([
  ["/both?month=2026-01", "served"],
  ["/both?date=2026-01-31", "served"],
  ["/day?date=2026-01-31", "served"],
  ["/day?month=2026-01", `Parameter month is not allowed here: ${TAKING}.`],
  ["/any?month=2026-01&date=2026-01-31", "served"],
  ["/none?date=2026-01-31", `Parameter date is not allowed here: ${TAKING}.`],
  ["/none?month=2026-01", `Parameter month is not allowed here: ${TAKING}.`],
  ["/none?tracker=x", "served"],
])("%s: %s", async (target, expected) => {
  const context = getContext(target, {});
  const outcome = await routes.find(({ path }) => path === context.path)?.handler(context);
  expect(outcome?.kind === "reply" ? outcome.body : outcome?.kind === "invalid_input" ? outcome.message : outcome).toBe(
    expected,
  );
});
