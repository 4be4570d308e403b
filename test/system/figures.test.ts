import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Edge, startEdge } from "../support/edge.ts";
import { eventually } from "../support/eventually.ts";
import { FedUpstreams } from "../support/fed-upstreams.ts";
import { SLOW } from "../support/runtime.ts";
import { OWN, POOL } from "../unit/rates/rows.ts";

const STABLE_ASSET = "0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b";
/** The Worker's clock: a reading is fresh for 30 of its seconds. */
const SPEED = 15;
const SETTLE_MS = 3_000;

function settings(upstreams: FedUpstreams): Record<string, string> {
  return {
    RATES_URL: `${upstreams.url}/rates`,
    RATES_CHAIN: "Aptos",
    RATES_PROJECTS: "thala-lsd:liquid_staking",
    RATE_LIMIT_DEFAULT: "10000/1",
    STALE_IF_ERROR_SECONDS: "0",
    ALERT_WEBHOOK: `${upstreams.url}/hook`,
    HEARTBEAT_URL: `${upstreams.url}/heartbeat`,
    STABLE_ASSET,
    CONTACT_URL: "https://ops.example/about",
    CONFIRM_SECONDS: "1",
  };
}

/** Upstreams with these changes, and the edge before them. */
async function startFed(changed: Partial<FedUpstreams>, speed = 1) {
  const upstreams = Object.assign(await FedUpstreams.start(), changed);
  const edge = await startEdge([upstreams.node.url], settings(upstreams), { speed });
  const close = async (): Promise<void> => {
    await edge.close();
    await upstreams.stop();
  };
  return { upstreams, edge, close };
}

async function healthOf(edge: Edge) {
  const { status, text } = await edge.get("/api/health");
  const report = JSON.parse(text);
  const problems: string[] = report.problems.map(
    (each: Record<string, string>) => `${each["code"]} ${each["subject"]}`,
  );
  return { status, text, report, problems };
}

/** A node that recovers is called again after a successful probe, and its figures change with its next block. */
async function checkUntil(edge: Edge, health: { status: number; problems: string[] }): Promise<void> {
  await eventually(async () => {
    await edge.check();
    expect(await healthOf(edge)).toMatchObject(health);
  });
}

describe("a hundred cold callers", () => {
  let upstreams: FedUpstreams;
  let edge: Edge;

  beforeAll(async () => {
    const fed = await startFed({ listing: { status: "success", data: [POOL] } }, SLOW);
    ({ upstreams, edge } = fed);
    return fed.close;
  });

  test("cost one read of each view per tip", async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => edge.get("/api/total-supply")));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(["200 999999999"]));
    // One reading has the total, the wallets and native staking, each at the same version.
    const once = ["0x1::coin::supply", "0x1::staking_config::reward_rate", "0x1::block::get_epoch_interval_secs"];
    for (const name of once) expect([name, upstreams.views.filter((view) => view === name).length]).toEqual([name, 1]);
  });

  test("cost one call of the listing", async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => edge.get("/api/rates")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(upstreams.listingAgents).toHaveLength(1);
  });
});

describe("figures of upstreams over real HTTP, in order", () => {
  let upstreams: FedUpstreams;
  let edge: Edge;

  beforeAll(async () => {
    const data = [POOL, { ...POOL, pool: "b", apy: "9" }, { ...POOL, chain: "X" }];
    const fed = await startFed({ listing: { status: "success", data } }, SPEED);
    ({ upstreams, edge } = fed);
    return fed.close;
  });

  test("every path has the upstreams' figures", async () => {
    expect(await edge.get("/api/stable-supply?format=result")).toMatchObject({
      status: 200,
      text: '{"result":"50000"}',
    });
    const rates = await edge.get("/api/rates");
    expect(JSON.parse(rates.text)).toMatchObject({
      count: 2,
      data: [{ id: "native-staking" }, { id: POOL.pool, kind: "liquid_staking" }],
    });
    const supply = JSON.parse((await edge.get("/api/supply")).text);
    expect(supply).toMatchObject({ total: { base_units: "99999999912345678" }, unavailable: {} });
    const breakdown = JSON.parse((await edge.get("/api/supply-breakdown")).text);
    expect(breakdown).toMatchObject({ complete: true, non_circulating_supply: { base_units: "87400000000000000" } });
  });

  test("node and listing get a User-Agent", () => {
    const agents = [...upstreams.node.requests.map(({ headers }) => headers["user-agent"]), ...upstreams.listingAgents];
    expect(upstreams.listingAgents).not.toEqual([]);
    expect(new Set(agents)).toEqual(new Set(["edge-api/local (+https://ops.example/about)"]));
  });

  test("health is ok, and contains no address", async () => {
    const { status, report, text } = await healthOf(edge);
    expect([status, report.status, report.problems]).toEqual([200, "ok", []]);
    expect(report.upstreams).toMatchObject([{ reachable: true, breaker: "closed" }]);
    expect(text).not.toContain("127.0.0.1");
  });

  test("each check that ran to its end sends one heartbeat, whatever it found", async () => {
    const before = upstreams.heartbeats.length;
    await edge.check();
    upstreams.listingUp = false;
    await edge.check();
    upstreams.listingUp = true;
    await edge.check();
    expect(upstreams.heartbeats.slice(before)).toEqual(Array(3).fill({ build_revision: "local" }));
  });

  test("a figure is served stale with its age while its upstream fails, then fresh again", async () => {
    upstreams.nodeUp = false;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const old = await edge.get("/api/total-supply");
    expect(old).toMatchObject({ status: 200, text: "999999999" });
    expect(Number(old.headers.get("Age"))).toBeGreaterThanOrEqual(30);
    const { status, problems } = await healthOf(edge);
    expect([status, problems.slice(0, 2)]).toEqual([200, ["figure_stale total_supply", "figure_stale stable_supply"]]);
    upstreams.nodeUp = true;
  });

  test("a supply below what the wallets hold never counts: the last good one stays, and health says why", async () => {
    upstreams.coinSupply = 100_000_000n;
    await checkUntil(edge, { status: 200, problems: ["figure_stale total_supply", "figure_stale supply_breakdown"] });
    await edge.check();
    expect(await edge.get("/api/total-supply")).toMatchObject({ status: 200, text: "999999999" });
    expect(upstreams.posted.at(-1)).toMatchObject({
      status: "degraded",
      reason: expect.stringContaining("the wallets hold more than exists on chain"),
    });
  });
});

test("the check posts one notice per change until it is accepted, and none while health is ok", async () => {
  const { upstreams, edge, close } = await startFed({ listing: { status: "success", data: [POOL] } }, SLOW);
  onTestFinished(close);
  await edge.check();
  expect(upstreams.posted).toEqual([]);
  upstreams.listingUp = false;
  upstreams.webhookUp = false;
  await edge.check();
  upstreams.webhookUp = true;
  await edge.check();
  await edge.check();
  expect(upstreams.posted).toMatchObject([
    { previous_status: "ok", status: "degraded" },
    { previous_status: "ok", status: "degraded" },
  ]);
  expect(new Set(upstreams.posted.map(({ id }) => id)).size).toBe(1);
  upstreams.listingUp = true;
  await edge.check();
  await edge.check();
  expect(upstreams.posted.slice(2)).toMatchObject([{ previous_status: "degraded", status: "ok" }]);
  // The failures were real: three readings of the listing, each of two tries, and the one that the webhook refused.
  expect(upstreams.refused).toEqual(["/rates", "/rates", "/hook", "/rates", "/rates", "/rates", "/rates"]);
  await expect.poll(edge.log).toContain("alert_not_delivered");
  for (const url of [upstreams.url, upstreams.node.url]) expect(edge.log()).not.toContain(url);
});

test("a figure that was never read is 503 with Retry-After, and health names it", async () => {
  const never = { coinSupply: null, tokenSupply: null, listing: { data: [{ ...OWN, apy: "7.5" }] } };
  const { upstreams, edge, close } = await startFed(never);
  onTestFinished(close);
  for (const path of ["/api/total-supply", "/api/stable-supply", "/api/rates", "/api/supply-breakdown"]) {
    const answer = await edge.get(path);
    expect([path, answer.status, JSON.parse(answer.text).error_code]).toEqual([path, 503, "service_unavailable"]);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  }
  expect(JSON.parse((await edge.get("/api/supply")).text)).toMatchObject({
    total: null,
    unavailable: { total: "the chain does not track the supply of this asset" },
  });
  const names = ["total_supply", "stable_supply", "rates", "supply_breakdown"];
  const unavailable = names.map((name) => `figure_unavailable ${name}`);
  // On a busy machine one may say that the node does not answer.
  await eventually(async () => expect(await healthOf(edge)).toMatchObject({ status: 503, problems: unavailable }));
  // The control: the same deployment is healthy as soon as its upstreams are.
  const listed = { ...OWN, id: "own", as_of: new Date().toISOString(), stale_after: null };
  Object.assign(upstreams, { coinSupply: 99_000_000_000_000_000n, tokenSupply: 1n, listing: { data: [listed] } });
  await checkUntil(edge, { status: 200, problems: [] });
});

describe("a public listing of every chain", () => {
  const rowsOf = (count: number, padding: number) =>
    Array.from({ length: count }, (_, row) => ({
      ...POOL,
      padding: "x".repeat(padding),
      pool: `p${row}`,
      chain: row % 100 === 0 ? "Aptos" : "Other",
    }));

  test.each([
    [15_000_000, 26_400, 0, "264 products"],
    [33_600_000, 42_000, 300, "the listing does not answer"],
    [28_000_000, 50_001, 0, "the listing is unusable: the listing has more than 50000 rows"],
  ])("of %i bytes or more in %i rows, each with %i more: %s", async (bytes, rows, padding, expected) => {
    const listing = { status: "success", data: rowsOf(rows, padding) };
    expect(JSON.stringify(listing).length).toBeGreaterThan(bytes);
    const { upstreams, edge, close } = await startFed({ listing }, SLOW);
    onTestFinished(close);
    // The chain's own product is filtered out.
    const { status, text } = await edge.get("/api/rates?chain=Aptos");
    const { count, message } = JSON.parse(text);
    const said = status === 200 ? `${count} products` : `${status} ${message}`;
    expect(said).toBe(status === 200 ? expected : `503 Yield rates are not available: ${expected}.`);
    // The control: it was fetched, and refused for its size.
    expect(upstreams.listingAgents).toHaveLength(1);
  });
});
