import { setTimeout as pause } from "node:timers/promises";
import { parseAsset } from "../../src/chain/asset.ts";
import { chainFigures } from "../../src/holdings/reading.ts";
import { nativeRules } from "../../src/holdings/rules.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { isBurned, walletsOf } from "../../src/supply/wallets.ts";
import { AS_READ, readingAt } from "../../tools/chain-reading.ts";
import { commandOptions } from "../../tools/command-line.ts";
import { nodeAt } from "../../tools/node-views.ts";
import { genesisOf } from "../../tools/start/genesis-settings.ts";
import { Random } from "../fuzz/random.ts";
import { mint, startNode } from "../support/devnode.ts";
import { createRuntime, EDGE_OBJECTS, withClock, workerModule } from "../support/runtime.ts";
import { startTamperingProxy, type Tamper } from "../support/tampering-proxy.ts";

const USAGE = "usage: npm run soak:figures -- [--minutes N] [--seed N]";
const HELP = `${USAGE}
  --minutes N    real minutes; the Worker's clock is thirty times faster (default 10: five hours)
  --seed N       of the lies (default 1)`;
const SPEED = 30;
const POLL_MS = 500;
const BURN_EVERY_POLLS = 20;
/** The bound of a figure, and the time that its renewal may take. */
const MAX_AGE_SECONDS = 3_600;
const PATHS = {
  "/api/total-supply": "total_supply",
  "/api/burned-supply": "burned_supply",
  "/api/circulating-supply-on-chain": "circulating_supply_on_chain",
} as const;
type Path = keyof typeof PATHS;

/** Two nodes of one chain, of which one lies at random: no figure that is served or recorded may be wrong. */
async function main(): Promise<number> {
  const options = { minutes: { type: "string", default: "10" }, seed: { type: "string", default: "1" } } as const;
  const values = commandOptions(HELP, options);
  const untilMs = performance.now() + Number(values.minutes) * 60_000;
  if (!(untilMs > performance.now())) throw new TypeError(`not a number of minutes: ${values.minutes}`);
  const { schedule } = (await import("../../dist/schedule.js")) as { readonly schedule: Schedule };
  const node = await startNode(genesisOf({}, Date.now()));
  const [honest, liar] = await Promise.all([startTamperingProxy(node.origin), startTamperingProxy(node.origin)]);
  const lies = liar.use(lieIn(new Random(Number(values.seed), 0)));
  const runtime = createRuntime({
    edge: {
      modules: { "worker.js": withClock(await workerModule("worker"), SPEED) },
      vars: { NODE_URLS: `${liar.url}/v1,${honest.url}/v1`, RATES_URL: "none", RATE_LIMIT_DEFAULT: "10000/60" },
      objects: EDGE_OBJECTS,
    },
  });
  await runtime.start();
  const truthAt = truthOf(node.url, schedule);
  const burnAddress = walletsOf(schedule).find(isBurned)?.address;
  const seen = { answers: 0, without: 0, oldest: 0, wrong: [] as string[], versions: new Set<string>() };
  const get = (path: string) => fetch(runtime.url("edge") + path, { headers: { "CF-Connecting-IP": "192.0.2.7" } });
  for (let poll = 0; performance.now() < untilMs; poll += 1) {
    if (burnAddress !== undefined && poll % BURN_EVERY_POLLS === 0)
      await mint(node, burnAddress, 10_000_000n * BigInt(1 + (poll % 7)));
    for (const path of Object.keys(PATHS) as Path[]) {
      const response = await get(`${path}?decimals=exact`);
      const [text, version] = [await response.text(), response.headers.get("X-Ledger-Version")];
      seen.answers += 1;
      if (response.status === 503) seen.without += 1;
      if (response.status !== 200 || version === null) continue;
      seen.versions.add(version);
      seen.oldest = Math.max(seen.oldest, Number(response.headers.get("Age")));
      const truth = (await truthAt(BigInt(version)))[PATHS[path]];
      if (truth !== text) seen.wrong.push(`${path} at ${version}: ${text}, and the chain has ${truth}`);
    }
    await pause(POLL_MS);
  }
  const { data } = (await (await get("/api/history")).json()) as { data: Row[] };
  for (const { figure, tokens, ledger_version: version } of data) {
    const truth = (await truthAt(BigInt(version)))[figure];
    if (truth !== undefined && truth !== tokens)
      seen.wrong.push(`history ${figure} at ${version}: ${tokens}, not ${truth}`);
  }
  await Promise.all([runtime.remove(), node.close(), honest.close(), liar.close()]);
  const share = ((100 * seen.without) / Math.max(1, seen.answers)).toFixed(1);
  console.log(
    `${seen.answers} answers in ${Number(values.minutes) * SPEED} minutes of the Worker's clock; ${lies()} lies; ${seen.versions.size} readings served, ${data.length} rows recorded; oldest figure ${seen.oldest} s; ${share} % of the answers were without a figure; ${seen.wrong.length} wrong`,
  );
  for (const fault of seen.wrong.slice(0, 20)) console.error(fault);
  return seen.wrong.length === 0 && lies() > 0 && seen.versions.size > 1 && seen.oldest <= MAX_AGE_SECONDS ? 0 : 1;
}

interface Row {
  readonly figure: string;
  readonly tokens: string;
  readonly ledger_version: string;
}

/** In one view of five, one amount is another one. */
function lieIn(random: Random): Tamper {
  return (path, _request, answer) => {
    if (!path.startsWith("/v1/view") || !random.chance(0.2)) return false;
    const changed = answer.body.replace(/"(\d{3,})"/, (_whole, digits: string) => {
      const factor = random.pick([1n, 99n, 101n, 50n, 777_000n]);
      return `"${(BigInt(digits) * factor) / 100n + 1n}"`;
    });
    const isLie = changed !== answer.body;
    answer.body = changed;
    return isLie;
  };
}

/** The figures of the chain at a version, exact in tokens, from the node itself. */
function truthOf(url: string, schedule: Schedule): (version: bigint) => Promise<Readonly<Record<string, string>>> {
  const known = new Map<bigint, Promise<Readonly<Record<string, string>>>>();
  const asset = parseAsset("0x1::aptos_coin::AptosCoin");
  if (asset === undefined) throw new Error("it is an asset");
  const rules = nativeRules(schedule, AS_READ);
  const read = async (version: bigint) => {
    const reading = await readingAt(nodeAt(url, version), asset, rules, 0);
    if ("reason" in reading) throw new Error(`at ${version}: ${reading.reason}`);
    const figures = Object.entries(chainFigures(schedule)(reading));
    const text = (amount: bigint): string => {
      const digits = String(amount).padStart(schedule.token.decimals + 1, "0");
      const fraction = digits.slice(-schedule.token.decimals).replace(/0+$/, "");
      return digits.slice(0, -schedule.token.decimals) + (fraction === "" ? "" : `.${fraction}`);
    };
    return Object.fromEntries(
      figures.flatMap(([name, amount]) => ("reason" in amount ? [] : [[name, text(amount.baseUnits)]])),
    );
  };
  return (version) => {
    const found = known.get(version) ?? read(version);
    known.set(version, found);
    return found;
  };
}

try {
  process.exitCode = await main();
} catch (cause) {
  console.error(cause instanceof TypeError ? `soak:figures: ${cause.message}; ${USAGE}` : cause);
  process.exitCode = 1;
}
