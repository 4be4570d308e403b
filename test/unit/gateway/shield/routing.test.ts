import { expect, test } from "vitest";
import { LOCATION_HINTS } from "../../../../src/config.ts";
import { SHARDS, shieldName } from "../../../../src/gateway/shield/routing.ts";

/** Shares of the callers of the world, the largest region first. */
const SHARES = [0.45, 0.25, 0.1, 0.06, 0.05, 0.04, 0.03, 0.02];

interface Load {
  readonly isolates: number;
  readonly requestsPerSecond: number;
  readonly hitShare: number;
  readonly shards?: number;
}

/** Calls in one second on the busiest shield object: of each request that misses, by whichever isolate. */
function busiestShield({ isolates, requestsPerSecond, hitShare, shards = SHARDS }: Load): number {
  const calls = new Map<string, number>();
  for (let request = 0; request < requestsPerSecond; request += 1) {
    const isHit = (request * 7_919) % 1_000 < hitShare * 1_000;
    if (isHit) continue;
    const place = ((request * 104_729) % 10_007) / 10_007;
    let [region, sum] = [0, SHARES[0] ?? 1];
    while (place >= sum && region < SHARES.length - 1) sum += SHARES[++region] ?? 1;
    const isolate = request % isolates;
    const key = `GET /accounts/0x${(request * 31 + isolate).toString(16)} json `;
    const name = shieldName(LOCATION_HINTS[region] ?? "world", key, shards);
    calls.set(name, (calls.get(name) ?? 0) + 1);
  }
  return Math.max(...calls.values());
}

const LOAD = { requestsPerSecond: 100_000, hitShare: 0.95 } as const;

test.each([100, 1_000, 10_000])("with %i isolates no shield object gets more than 200 calls a second", (isolates) => {
  const busiest = busiestShield({ ...LOAD, isolates });
  expect(busiest).toBeGreaterThan(100);
  expect(busiest).toBeLessThanOrEqual(200);
});

test("requests that hit add nothing: twice as many, of which as few miss, are the same load", () => {
  const once = busiestShield({ ...LOAD, isolates: 10_000 });
  const twice = busiestShield({ isolates: 10_000, requestsPerSecond: 200_000, hitShare: 0.975 });
  expect(Math.abs(twice - once)).toBeLessThan(0.25 * once);
});

test("eight shards for each region would be too few: the control", () => {
  expect(busiestShield({ ...LOAD, isolates: 10_000, shards: 8 })).toBeGreaterThan(200);
});
