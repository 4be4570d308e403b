import { expect, test } from "vitest";
import type { Disagreement, UpstreamReport } from "../../../src/chain/upstream-report.ts";
import {
  evaluateHealth,
  type FigureState,
  type HealthInputs,
  healthReply,
  reasonOf,
} from "../../../src/health/report.ts";
import type { Problem } from "../../../src/problems.ts";

const MAX: FigureState = { name: "max_supply", ageSeconds: 0, boundSeconds: null, error: null };
const CONFIRMED = { nodes: ["node-1", "node-2"], ledger_version: "119", at: "2026-11-21T01:59:57Z" };
const TOTAL: FigureState = {
  name: "total_supply",
  ageSeconds: 3,
  boundSeconds: 3_600,
  error: null,
  confirmedBy: CONFIRMED,
};
const UNAVAILABLE: FigureState = { ...TOTAL, ageSeconds: null, error: "no node answers" };
const PENDING: FigureState = {
  name: "circulating_supply",
  ageSeconds: null,
  boundSeconds: null,
  error: null,
  pending: true,
};
const NODE: UpstreamReport = {
  label: "node-1",
  reachable: true,
  ledgerVersion: "120",
  lag: "0",
  breaker: "closed",
  exclusion: null,
  cause: null,
  isOutdated: false,
};
const GOOD_AT_MS = Date.parse("2026-11-21T02:00:00Z");
const GOOD: HealthInputs = {
  nowMs: GOOD_AT_MS,
  versionWord: "ledger version",
  figures: [MAX, TOTAL],
  upstreams: [NODE],
  tipRead: "current",
  chainReplaced: null,
  disagreements: [],
  storeRefusedAtMs: null,
  damagedTables: [],
  limiterObjects: [
    { region: "weur", responds: true, revision: { buildRevision: "abc122", versionId: "v-1" } },
    { region: "oc", responds: true, revision: null },
  ],
  fullLimiters: [],
  figureProblems: [],
  nativeStaking: { source: "chain", reason: null },
};
const DISAGREEMENT: Disagreement = {
  nodes: ["node-1", "node-2"],
  member: "minted",
  values: ["95", "65"],
  ledgerVersion: "120",
  atMs: GOOD_AT_MS,
  outvoted: null,
};
const ABOVE: Problem = { code: "circulating_above_total", subject: "circulating_supply", message: "More than all." };
const AWAY = { region: "weur", responds: false, revision: null };
const DEPLOYMENT = {
  buildRevision: "abc123",
  versionId: "v-1",
  scheduleRevision: 4,
  scheduleSha256: "ab".repeat(32),
  addressesSha256: null,
  ratesMappingSha256: "cd".repeat(32),
  policies: {
    default: { name: "default", quota: 60, windowSeconds: 60 },
    node: { name: "node", quota: 300, windowSeconds: 60 },
  },
} as const;

/** The status, that of the reply over HTTP, and the problems. */
function healthWith(change: Partial<HealthInputs>) {
  const health = evaluateHealth({ ...GOOD, ...change });
  const problems = health.problems.map(({ code, subject }) => `${code}:${subject}`);
  return [health.status, healthReply(health, DEPLOYMENT).status, problems];
}

test.each<[string, Partial<HealthInputs>, string]>([
  ["a problem before the start", { figures: [MAX, PENDING], limiterObjects: [AWAY] }, "limiter_local:weur"],
  [
    "a figure that cannot be renewed",
    { figures: [MAX, { ...TOTAL, ageSeconds: 900, error: "no node answers" }] },
    "figure_stale:total_supply",
  ],
  ["a problem of figures", { figureProblems: [ABOVE] }, "circulating_above_total:circulating_supply"],
  [
    "a node that does not answer",
    { upstreams: [NODE, { ...NODE, label: "node-2", reachable: false, breaker: "open" }] },
    "upstream_unreachable:node-2",
  ],
  [
    "a node that limits our requests",
    { upstreams: [{ ...NODE, reachable: false, breaker: "open", exclusion: "throttled" }] },
    "upstream_excluded:node-1",
  ],
  ["a node of another chain", { upstreams: [{ ...NODE, exclusion: "wrong_chain" }] }, "upstream_wrong_chain:node-1"],
  [
    "a node that contradicts the others",
    { upstreams: [{ ...NODE, exclusion: "contradicts" }] },
    "upstream_contradicts:node-1",
  ],
  [
    "a node that stopped following the chain",
    { upstreams: [{ ...NODE, isOutdated: true, lag: "9000" }] },
    "upstream_outdated:node-1",
  ],
  ["reads that fail", { tipRead: "unavailable" }, "node_reads_unavailable:/v1"],
  [
    "a chain that was replaced, for an hour",
    { chainReplaced: { atMs: GOOD_AT_MS - 3_599_999, why: "reset" } },
    "chain_replaced:/v1",
  ],
  ["nodes that disagree", { disagreements: [DISAGREEMENT] }, "nodes_disagree:node-1 node-2"],
  [
    "a node that two others contradict",
    { disagreements: [{ ...DISAGREEMENT, outvoted: "node-2" }] },
    "nodes_disagree:node-2",
  ],
  ["a store that refuses to write", { storeRefusedAtMs: GOOD_AT_MS - 60_000 }, "store_refuses:home"],
  [
    "a damaged table of its store",
    { damagedTables: [{ table: "figure_day", day: "2026-11-20" }] },
    "store_damaged:figure_day",
  ],
  ["stale reads", { tipRead: "stale" }, "node_reads_stale:/v1"],
  ["a full limiter object", { fullLimiters: ["v1:node:enam:1"] }, "limiter_full:v1:node:enam:1"],
  ["a limiter that counts locally", { limiterObjects: [AWAY] }, "limiter_local:weur"],
])("health is degraded, and served with 200, by %s", (_what, change, problem) => {
  expect(healthWith(change)).toEqual(["degraded", 200, [problem]]);
});

test.each<[Partial<UpstreamReport>, string]>([
  [{ reachable: false }, "does not answer"],
  [{ reachable: false, cause: "answers with status 402: pay" }, "answers with status 402: pay"],
  [{ exclusion: "throttled", cause: "limits our requests until 12:00" }, "limits our requests until 12:00"],
  [{ exclusion: "throttled" }, "limits our requests"],
  [{ exclusion: "wrong_chain", cause: "answers with status 402" }, "follows another chain"],
])("a node's problem names its cause: %j", (change, what) => {
  const { problems } = evaluateHealth({ ...GOOD, upstreams: [{ ...NODE, ...change }] });
  expect(problems.map(({ message }) => message)).toEqual([`Chain node node-1 ${what}.`]);
});

test.each<[string, Partial<HealthInputs>, string]>([
  ["ok when nothing fails", {}, "ok"],
  ["waiting before the schedule starts", { figures: [MAX, PENDING, TOTAL] }, "not_started"],
  ["ok an hour after the chain was replaced", { chainReplaced: { atMs: GOOD_AT_MS - 3_600_000, why: "reset" } }, "ok"],
])("health is %s", (_what, change, status) => {
  expect(healthWith(change)).toEqual([status, 200, []]);
});

test.each<[string, readonly FigureState[]]>([
  ["cannot be served", [MAX, UNAVAILABLE]],
  ["is unavailable before another one starts", [PENDING, UNAVAILABLE]],
])("health is failing, and served with 503, when a figure %s", (_what, figures) => {
  expect(healthWith({ figures })).toEqual(["failing", 503, ["figure_unavailable:total_supply"]]);
});

test("the report has the revision, the upstreams and the age of each figure", () => {
  const reply = healthReply(evaluateHealth(GOOD), DEPLOYMENT);
  expect(reply.headers).toEqual({ "Content-Type": "application/json", "Cache-Control": "no-store" });
  expect(JSON.parse(String(reply.body))).toEqual({
    status: "ok",
    checked_at: "2026-11-21T02:00:00Z",
    build_revision: "abc123",
    version_id: "v-1",
    schedule_revision: 4,
    schedule_sha256: DEPLOYMENT.scheduleSha256,
    addresses_sha256: null,
    rates_mapping_sha256: DEPLOYMENT.ratesMappingSha256,
    limiter: {
      mode: "exact",
      policies: { default: "60/60", node: "300/60" },
      objects: [
        { region: "weur", responds: true, build_revision: "abc122", version_id: "v-1" },
        { region: "oc", responds: true, build_revision: null, version_id: null },
      ],
    },
    upstreams: [{ label: "node-1", reachable: true, ledger_version: "120", lag: "0", breaker: "closed" }],
    figures: [
      { name: "max_supply", available: true, age_seconds: 0, bound_seconds: null, confirmed_by: null },
      { name: "total_supply", available: true, age_seconds: 3, bound_seconds: 3_600, confirmed_by: CONFIRMED },
    ],
    native_staking: { source: "chain", reason: null },
    problems: [],
  });
});

test("a 503 is an Error object too, with Retry-After", () => {
  const health = evaluateHealth({ ...GOOD, figures: [UNAVAILABLE] });
  const reply = healthReply(health, DEPLOYMENT);
  expect(reply.headers).toMatchObject({ "Retry-After": "30", "Cache-Control": "no-store" });
  expect(JSON.parse(String(reply.body))).toMatchObject({
    message: "total_supply cannot be served: no node answers.",
    error_code: "service_unavailable",
    status: "failing",
  });
});

test.each([
  [null, "Figures from the chain keep their last good values."],
  ["node-2", "A third node contradicts node-2, which is asked last for ten minutes."],
])("nodes that disagree are named with both values; outvoted is %s", (outvoted, then) => {
  const { problems } = evaluateHealth({ ...GOOD, disagreements: [{ ...DISAGREEMENT, outvoted }] });
  expect(problems.map(({ message }) => message)).toEqual([
    `Chain nodes node-1 and node-2 report different values of minted at ledger version 120: 95 and 65. ${then}`,
  ]);
});

test.each(["ledger version", "block"])("a chain's family says what nodes differ and lag in: %s", (versionWord) => {
  const behind = { ...NODE, isOutdated: true, lag: "7" };
  const seen = { ...GOOD, versionWord, disagreements: [DISAGREEMENT], upstreams: [behind] };
  const said = evaluateHealth(seen).problems.map(({ message }) => message);
  expect(said).toEqual([
    `Chain node node-1 is 7 ${versionWord}s behind the others and does not catch up.`,
    expect.stringContaining(` of minted at ${versionWord} 120: `),
  ]);
});

test("the reason joins every problem in one line", () => {
  expect(reasonOf(evaluateHealth({ ...GOOD, limiterObjects: [AWAY], figureProblems: [ABOVE] }))).toBe(
    "More than all. The rate limiter's objects in the region weur do not answer; each isolate counts by itself.",
  );
});
