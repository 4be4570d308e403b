import { expect, test } from "vitest";
import { chainUnder } from "../../../src/chain/chain-record.ts";
import type { Exchange } from "../../../src/gateway/upstream/client.ts";
import { WatchedChain } from "../../../src/home/watched-chain.ts";
import { FREE_PLAN } from "../../../tools/deploy/free-plan.ts";
import { configOf } from "../../support/app.ts";
import { SimulatedTime } from "../gateway/simulated-time.ts";
import { errorOf, ledgerAt, responseOf } from "../gateway/upstream/nodes.ts";
import { file, valid, wallet } from "../supply/schedules.ts";

const CONNECTIONS = 6;

/** Sends over the connections of one object: a further request waits, and its deadline has begun. */
function platformOf(time: SimulatedTime, latencyMs: number) {
  const waiting: (() => void)[] = [];
  const seen = { sent: 0, busy: 0, late: 0 };
  const send: Exchange = async (_index, { endpoint, body }, _dialect, deadlineMs) => {
    const untilMs = time.nowMs + deadlineMs;
    seen.sent += 1;
    if (seen.busy === CONNECTIONS) await new Promise<void>((go) => waiting.push(go));
    else seen.busy += 1;
    const isLate = time.nowMs + latencyMs > untilMs;
    await time.sleep(Math.max(0, Math.min(latencyMs, untilMs - time.nowMs)));
    const next = waiting.shift();
    if (next === undefined) seen.busy -= 1;
    else next();
    if (isLate) seen.late += 1;
    if (isLate) return errorOf("timeout");
    const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : "";
    const values = text.includes("decimals") ? [8] : text.includes("supply") ? [{ vec: ["90000000000"] }] : ["5"];
    const response = responseOf(endpoint === "ledger_info" ? {} : values, ledgerAt(100n));
    return { kind: "response", response, classification: { of: "committed", revealsVersion: 100n }, dialect: "node" };
  };
  return { send, seen };
}

/** What an object sees of the chain behind two nodes that are 900 ms away, with so many wallets to read. */
function watchedChain(wallets: number, settings: Readonly<Record<string, string>>) {
  const time = new SimulatedTime();
  const { send, seen } = platformOf(time, 900);
  const urls = "https://a.example/v1,https://b.example/v1";
  const listed = Array.from({ length: wallets }, (_, index) => wallet(`0xa${index}`, { category: "team" }));
  const watched = new WatchedChain(0, {
    config: configOf({ NODE_URLS: urls, STABLE_ASSET: "", ...settings }),
    schedule: valid(file({ wallets: listed })),
    senders: ["a", "b"].map((origin) => ({ label: `node-${origin}`, origin, transport: () => Promise.reject() })),
    send,
    now: time.now,
    sleep: time.sleep,
    background: () => undefined,
    report: () => chainUnder(null, { chainId: null, origins: ["a", "b"] }, time.nowMs),
    load: () => null,
    save: () => undefined,
    log: () => undefined,
  });
  return { time, seen, watched };
}

const READ = { kind: "observed", value: { saidBy: ["node-a", "node-b"] } };

test("a reading of 40 wallets at two nodes, 900 ms away: each call has a connection, and so has each probe", async () => {
  const { time, seen, watched } = watchedChain(40, { STAKING: "off" });
  const reading = watched.readers.native?.read();
  // In the middle of the reading; hashing a request takes a real moment.
  while (seen.sent < 30) await time.pass(100);
  const reports = await time.run(watched.reports());
  expect(reports.map(({ label, reachable }) => [label, reachable])).toEqual([
    ["node-a", true],
    ["node-b", true],
  ]);
  expect(await time.run(Promise.resolve(reading))).toMatchObject(READ);
  expect(seen.late).toBe(0);
});

test("the first reading of as many wallets as the free plan accepts sends no more than its 50 requests", async () => {
  const { time, seen, watched } = watchedChain(FREE_PLAN.walletReads, { STAKING: "on" });
  expect(await time.run(Promise.resolve(watched.readers.native?.read()))).toMatchObject(READ);
  expect(seen.sent).toBeGreaterThan(2 * FREE_PLAN.walletReads);
  expect(seen.sent).toBeLessThanOrEqual(50);
});
