import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { commandOptions } from "../../tools/command-line.ts";
import { startBareProduct } from "../support/bare-product.ts";
import { startNode } from "../support/devnode.ts";
import { quotaFaults } from "../support/quota-oracle.ts";
import { type Passing, startTamperingProxy } from "../support/tampering-proxy.ts";
import { overflow, passersBy, requesting, type Seen } from "./callers.ts";
import { flatness, section, withSection } from "./report.ts";

const RESULTS = join(import.meta.dirname, "..", "..", "bench", "results.md");
const USAGE = "usage: npm run soak -- [--minutes N] [--dry-run]";
const HELP = `${USAGE}
  --minutes N    how long callers send requests (default 10)
  --dry-run      leave bench/results.md as it is`;
const QUOTAS = { default: 60, node: 300 } as const;
const WINDOW_MS = 60_000;
/** The states of the upstream: what becomes of its answers. */
const MODES = {
  healthy: () => undefined,
  down: (answer: Passing) => Object.assign(answer, { cutAt: -1 }),
  failing: (answer: Passing) => Object.assign(answer, { status: 500, body: "<html>Internal Server Error</html>" }),
  slow: () => pause(1_500),
  cut: (answer: Passing) => {
    answer.headers.set("Content-Length", String(Buffer.byteLength(answer.body)));
    answer.cutAt = answer.body.length / 2;
  },
} as const;
type Mode = keyof typeof MODES;
/** Their cycle, in seconds: after ten seconds without callers the objects are evicted. */
const DAY: readonly (readonly [Mode, seconds: number, resting: boolean])[] = [
  ["healthy", 20, false],
  ["down", 6, false],
  ["healthy", 8, false],
  ["failing", 6, false],
  ["healthy", 8, false],
  ["slow", 6, false],
  ["healthy", 6, false],
  ["cut", 6, false],
  ["healthy", 6, false],
  ["healthy", 14, true],
];

async function main(): Promise<number> {
  const options = {
    minutes: { type: "string", default: "10" },
    "dry-run": { type: "boolean", default: false },
  } as const;
  const values = commandOptions(HELP, options);
  const seconds = Number(values.minutes) * 60;
  if (!(seconds > 0)) throw new TypeError(`not a number of minutes: ${values.minutes}`);
  const node = await startNode();
  const proxy = await startTamperingProxy(node.origin);
  let mode: Mode = "healthy";
  const spoiled = proxy.use(async (_path, _request, answer) => {
    const isSpoiled = mode !== "healthy";
    await MODES[mode](answer);
    return isSpoiled;
  });
  const product = await startBareProduct({ NODE_URLS: `${proxy.url}/v1`, RATES_URL: `${proxy.url}/rates` });
  const seen: Seen = { requests: 0, statuses: {}, stale: 0, latenciesMs: [], wrong: [], fixed: new Map() };
  const callers = overflow();
  const rssMiB: number[] = [];
  let [stopped, resting] = [false, false];
  const control = { stopped: () => stopped, resting: () => resting };
  const all = [
    ...callers.map((caller, index) => requesting(caller, product.url, index, control, seen)),
    passersBy(product.url, control, seen),
  ];
  const sampler = setInterval(() => rssMiB.push(residentMiB(product.pid())), 1_000);
  const untilMs = performance.now() + seconds * 1_000;
  for (let phase = 0; performance.now() < untilMs; phase += 1) {
    const [next, phaseSeconds, rests] = DAY[phase % DAY.length] ?? ["healthy", 10, false];
    [mode, resting] = [next, rests];
    console.log(
      `${Math.round((untilMs - performance.now()) / 1_000)} s to go; upstream ${mode}${rests ? ", no requests" : ""}; ${seen.requests} requests, ${seen.wrong.length} wrong, ${rssMiB.at(-1) ?? "?"} MiB`,
    );
    await pause(Math.max(0, Math.min(phaseSeconds * 1_000, untilMs - performance.now())));
  }
  stopped = true;
  await Promise.all(all);
  clearInterval(sampler);
  const violations = callers.flatMap(({ address, spent }) => [
    ...quotaFaults(spent.default, QUOTAS.default, WINDOW_MS).map((fault) => `${address} default: ${fault}`),
    ...quotaFaults(spent.node, QUOTAS.node, WINDOW_MS).map((fault) => `${address} node: ${fault}`),
  ]);
  await Promise.all([product.remove(), node.close(), proxy.close()]);
  const memory = flatness(rssMiB);
  const machine = `${cpus().length} cores, Node ${process.versions.node}`;
  const text = section({
    seconds,
    machine,
    callers: callers.length,
    seen,
    spoiled: spoiled(),
    violations,
    memory,
  });
  console.log(text);
  for (const fault of [...new Set(seen.wrong)].slice(0, 20)) console.error(`wrong: ${fault}`);
  for (const fault of violations.slice(0, 20)) console.error(`quota: ${fault}`);
  if (!values["dry-run"]) writeFileSync(RESULTS, withSection(existing(), text));
  return seen.wrong.length + violations.length === 0 && memory.flat ? 0 : 1;
}

/** The runtime's resident memory, for a page size of 4 KiB. */
function residentMiB(pid: number | undefined): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  return Math.round((pages * 4) / 1_024);
}

function existing(): string {
  try {
    return readFileSync(RESULTS, "utf8");
  } catch {
    return "# Benchmark results\n";
  }
}

try {
  process.exitCode = await main();
} catch (cause) {
  console.error(cause instanceof TypeError ? `soak: ${cause.message}; ${USAGE}` : cause);
  process.exitCode = 1;
}
