import { FULL_LOAD, simulateLoad } from "../test/support/simulated-load/simulate.ts";
import { count, table, target } from "./lib/figures.mjs";

const MAX_CALLS_PER_SECOND = 200;

/** Calls to the busiest objects in simulated time: at full load, with ten times fewer and ten times more isolates. */
export async function simulationSection({ log }) {
  const { demand, dataCentres, isolates } = FULL_LOAD;
  const rows = [];
  for (const number of [isolates / 10, isolates, isolates * 10]) {
    const load = await simulateLoad({ ...FULL_LOAD, isolates: number });
    rows.push({ number, ...load });
    log(
      `simulation: ${count(number)} isolates: ${load.busiestShield.toFixed(0)} calls/s, ${percent(load.hitShare)} hits`,
    );
  }
  const full = rows.find(({ number }) => number === isolates);
  const largest = rows.at(-1);
  return `## Simulation

The gateway, shield and figures of many isolates in simulated time: ${count(demand.requestsPerSecond)} requests a second in ${dataCentres} data centres, 45 % of them in one region; ${percent(demand.tipShare)} of the requests read the chain's present state (${demand.tipKeys} keys, Zipf), ${percent(demand.figureShare)} the total supply, ${percent(demand.newShare)} new transactions, the others cached ones. A block every 250 ms, 40 ms between isolate and object, 20 ms to the node. Limiter calls are not counted. The same seed gives the same figures on any machine.

${table(
  [
    "isolates",
    "hits",
    "calls/s, busiest shield object",
    "calls/s, home object",
    "calls/s, all shields",
    "upstream calls/s, busiest key",
  ],
  rows.map(({ number, hitShare, busiestShield, home, allShields, busiestKey }) => [
    count(number),
    `${(100 * hitShare).toFixed(1)} %`,
    count(busiestShield),
    count(home),
    count(allShields),
    busiestKey.toFixed(1),
  ]),
)}

${table(
  ["target", "goal", "measured", ""],
  [
    target(
      `calls a second to the busiest object, ${count(isolates)} isolates`,
      `at most ${MAX_CALLS_PER_SECOND}`,
      count(Math.max(full.busiestShield, full.home)),
      Math.max(full.busiestShield, full.home) <= MAX_CALLS_PER_SECOND,
    ),
    target(
      `the same, ${count(isolates * 10)} isolates`,
      `at most ${MAX_CALLS_PER_SECOND}`,
      count(Math.max(largest.busiestShield, largest.home)),
      Math.max(largest.busiestShield, largest.home) <= MAX_CALLS_PER_SECOND,
    ),
  ],
)}

A key is fetched more than once a second when callers have seen a newer version in another response, below which theirs must not be; for the same reason fewer isolates, each of which serves more requests from its cache, call slightly more often.`;
}

const percent = (share) => `${Math.round(100 * share)} %`;
