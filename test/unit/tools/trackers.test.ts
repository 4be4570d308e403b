import { expect, test } from "vitest";
import { compareDisplayed, ourFiguresAt } from "../../../tools/trackers/compare.ts";

/** A deployment with these answers; every other path answers 404. */
function deployment(answers: Readonly<Record<string, unknown>>) {
  return ourFiguresAt("https://api.example.org", async (input) => {
    const body = answers[new URL(String(input)).pathname];
    return body === undefined ? new Response("{}", { status: 404 }) : Response.json(body);
  });
}
const SUPPLY = { "/api/circulating-supply": 5_000, "/api/max-supply": 10_000 };
const displayed = (figures: object) =>
  ({ kind: "displayed", circulating: 5_000, total: 10_000, max: 10_000, ...figures }) as const;

test("a deployment that reads no chain has the figures of its schedule, and contradicts no total", async () => {
  const ours = await deployment({ ...SUPPLY, "/api/allocations": { token: { symbol: "ORB" }, state: "started" } });
  if ("problem" in ours) throw new Error(ours.problem);
  const rows = compareDisplayed(displayed({}), ours, 0.5);
  expect(rows.map(({ field, expected, isRight }) => [field, expected, isRight])).toEqual([
    ["circulating", "unlocked", true],
    ["max", "max", true],
  ]);
});

test("before the start nothing circulates: a tracker that displays something is wrong", async () => {
  const { "/api/max-supply": max } = SUPPLY;
  const launch = { token: { symbol: "ORB" }, state: "not_started" };
  const ours = await deployment({ "/api/max-supply": max, "/api/allocations": launch });
  if ("problem" in ours) throw new Error(ours.problem);
  const wrong = (circulating: number | null) =>
    compareDisplayed(displayed({ circulating }), ours, 0.5).filter(({ isRight }) => !isRight);
  expect(wrong(null)).toEqual([]);
  expect(wrong(5_000)).toMatchObject([{ field: "circulating", ours: null }]);
});

test("a deployment that names no token is not known", async () => {
  const problem = "neither /api/allocations nor /api/supply-breakdown has a symbol";
  expect(await deployment(SUPPLY)).toEqual({ problem });
});

test("a deployment of wallets alone is known by them, also without a maximum", async () => {
  const { "/api/max-supply": _max, ...figures } = SUPPLY;
  const wallets = { token: { symbol: "APT" } };
  const ours = await deployment({ ...figures, "/api/supply-breakdown": wallets });
  expect(ours).toMatchObject({ symbol: "APT", figures: { max: null, unlocked: figures["/api/circulating-supply"] } });
});
