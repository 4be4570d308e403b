import { runTool } from "./command-line.ts";
import { parseLoad, USAGE } from "./cost/arguments.ts";
import { type Cost, costOf, DEFAULT_LOAD, type Load } from "./cost/model.ts";
import { PLAN_DOLLARS, PRICES, PRICES_READ_ON } from "./cost/prices.ts";

const REQUESTS = [0, 1e6, 100e6, 10e9];
const MIXES = [0, 0.5, 1];
/** As docs/operations.md advises: a second limiter object per region from 500 requests a second in that region. */
const shardsFor = (requests: number): number => (requests >= 1e9 ? 4 : 1);

/** The table of docs/cost.md. */
export function costTable(): string {
  const head =
    "| requests a month | mix | total | per million | Workers | object calls | object duration | rows |\n| --- | --- | --- | --- | --- | --- | --- | --- |";
  const rows = REQUESTS.flatMap((requests) =>
    (requests === 0 ? [0] : MIXES).map((nodeShare) =>
      tableRow({ ...DEFAULT_LOAD, requests, nodeShare, shards: shardsFor(requests) }),
    ),
  );
  return [head, ...rows].join("\n");
}

function tableRow(load: Load): string {
  const { total, perMillion, lines } = costOf(load);
  const workers = lines.workerRequests.dollars + lines.workerCpu.dollars;
  const parts = [workers, lines.objectRequests.dollars, lines.objectDuration.dollars, lines.rowsWritten.dollars];
  const mix = load.nodeShare === 0 ? "`/api`" : load.nodeShare === 1 ? "`/v1`" : "half each";
  const name = load.requests === 0 ? "idle" : load.requests.toLocaleString("en-US");
  return `| ${[name, load.requests === 0 ? "" : mix, whole(total), load.requests === 0 ? "" : cents(perMillion), ...parts.map(whole)].join(" | ")} |`;
}

function report(cost: Cost): string {
  const lines = Object.entries(cost.lines).map(([name, { amount, dollars }]) => {
    const { included, perMillion, unit } = PRICES[name as keyof typeof PRICES];
    const price = `$${perMillion} a million after ${included.toLocaleString("en-US")}`;
    return `  ${cents(dollars).padStart(12)}  ${Math.round(amount).toLocaleString("en-US")} ${unit} (${price})`;
  });
  return [
    `${cents(cost.total)} a month, ${cents(cost.perMillion)} a million requests; list prices of ${PRICES_READ_ON}`,
    `  ${cents(PLAN_DOLLARS).padStart(12)}  the Workers Paid plan`,
    ...lines,
  ].join("\n");
}

function whole(dollars: number): string {
  return `$${Math.round(dollars).toLocaleString("en-US")}`;
}

function cents(dollars: number): string {
  return `$${dollars.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

await runTool(import.meta.url, USAGE, (words) => (words.length === 0 ? costTable() : report(costOf(parseLoad(words)))));
