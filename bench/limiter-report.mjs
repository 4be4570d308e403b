import { MAX_EDGE_BYTES } from "../tools/bundle-worker.ts";
import { count, median, table, target } from "./lib/figures.mjs";
import { callsPerThousandRefused } from "./limiter-refusals.mjs";

/** The section's Markdown. */
export async function limiterReport(plan, runs, { path, journal, product, callers, callersWithObjects, start }) {
  const of = (name, phase, figure) => median(runs.get(name).map((run) => run[phase][figure]));
  const [bare, floor, ours, flood, bareRefused, hono, perIp] = plan.map(({ name }) => name);
  const share = (one, other, phase = "warm") => of(one, phase, "perSecond") / of(other, phase, "perSecond");
  const rows = plan.map(({ name }) => [
    name,
    ...["cold", "warm"].map((phase) => count(of(name, phase, "perSecond"))),
    ...["medianMs", "p99Ms"].map((figure) => of(name, "warm", figure).toFixed(2)),
    count(of(name, "warm", "cpuMicros")),
  ]);
  const atLeast = (what, goal, value) => target(what, `at least ${goal}`, value.toFixed(2), value >= goal);
  const targets = [
    atLeast("ours over the RPC floor, many callers", 0.9, share(ours, floor)),
    atLeast("refused over the bare Worker", 0.9, share(flood, bareRefused)),
    atLeast("ours over hono-rate-limiter, warm", 5, share(ours, hono)),
    atLeast("ours over hono-rate-limiter, cold", 7, share(ours, hono, "cold")),
    target(
      "production bundle, gzip",
      `at most ${MAX_EDGE_BYTES} bytes`,
      `${count(product.gzipBytes)} bytes`,
      product.gzipBytes <= MAX_EDGE_BYTES,
    ),
  ];
  return `## Limiter

\`${path}\`, ${count(callers)} callers (one for the refused, at most ${count(callersWithObjects)} where each has an object), requests per second, medians; latency and processor time of the whole process for each request in the warm run under 32 connections.

${table(["subject", "cold", "warm", "median ms", "p99 ms", "processor time, µs"], rows)}

${table(["target", "goal", "measured", ""], targets)}

Also: ${share(ours, bare).toFixed(2)} of the bare Worker with many callers; ${share(ours, perIp).toFixed(1)} times one object per IP warm, ${share(ours, perIp, "cold").toFixed(1)} times cold; ${median(journal).toFixed(1)} rows written per 1,000 admitted; ${await callsPerThousandRefused()} questions to an object per 1,000 refused. Start-up of the production bundle, from the process's start to the first answer, over that of the bare Worker: ${start.cpuMs.toFixed(0)} ms of processor time, ${start.ms.toFixed(0)} ms by the clock.`;
}
