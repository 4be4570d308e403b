import { expect, test } from "vitest";
import { learnUpstreams } from "../../../../src/gateway/upstream/learn-upstreams.ts";
import { poolOf } from "../../../../src/gateway/upstream/pool.ts";
import { upstreamAt } from "../../../../src/gateway/upstream/state.ts";
import type { AttemptError } from "../../../../src/gateway/upstream/upstream-result.ts";

const NOW_MS = 1_000;

test.each<["ok" | AttemptError, boolean, boolean, number | null]>([
  ["ok", true, false, NOW_MS],
  ["connect", false, true, null],
  ["timeout", false, true, null],
  ["truncated", false, true, null],
  ["server_error", false, true, null],
  ["invalid", false, true, null],
  ["refused", false, false, null],
  ["throttled", false, false, null],
  ["pruned", true, true, null],
  ["lagging", true, true, null],
])("after %s an upstream under suspicion (%s) is so: %s", (result, isSuspect, expected, respondedAtMs) => {
  const [first, second] = [upstreamAt(0, "upstream-1"), upstreamAt(1, "upstream-2")];
  first.state = { ...first.state, isSuspect };
  const attempts = [{ upstream: "upstream-1", result, milliseconds: 1 }];
  learnUpstreams(poolOf([first, second], null), { attempts, outdated: [1] }, NOW_MS);
  expect([first.state.isSuspect, first.state.respondedAtMs]).toEqual([expected, respondedAtMs]);
  expect([second.state.isSuspect, second.state.respondedAtMs]).toEqual([false, null]);
  expect([first, second].map(({ state }) => state.isOutdated)).toEqual([false, true]);
});
