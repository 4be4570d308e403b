import { expect, test } from "vitest";
import { parseHoldings, parseRates } from "../../../page/src/documents.ts";
import { STATES } from "../../support/page-states.ts";

/** What no page displays. */
const UNUSED =
  /^\.(token|confirmed_by|unavailable|non_circulating_supply)$|^\.data\.\d\.(chain|asset\.(address|decimals)|reward_assets|compounds_per_year|window|apy_change_7d|tvl|min_deposit|cooldown_seconds|featured)$|buckets\.\d\.category$|wallets\.\d\.(stake|percentage_of_total_supply|last_updated)$|(?<!difference)\.tokens$/;

/** The body without one of its members, for each of them that is displayed. */
function* incomplete(body: unknown, at = ""): Generator<readonly [string, unknown]> {
  if (typeof body !== "object" || body === null) return;
  for (const [name, value] of Object.entries(body)) {
    const path = `${at}.${name}`;
    const changed = (one: unknown): unknown =>
      Object.assign(Array.isArray(body) ? [...body] : { ...body }, { [name]: one });
    if (UNUSED.test(path)) continue;
    yield [path, changed(undefined)];
    for (const [inside, one] of incomplete(value, path)) yield [inside, changed(one)];
  }
}

test.each([
  ["/api/supply-breakdown", STATES.usual.breakdown, parseHoldings],
  ["/api/rates", { data: STATES.usual.rates }, parseRates],
] as const)("%s without any one member that is displayed is another shape", (_, body, parse) => {
  expect(() => parse(body)).not.toThrow();
  for (const [path, one] of incomplete(body)) expect(() => parse(one), path).toThrow(TypeError);
});
