import { runTool } from "./command-line.ts";
import { parseLoad, USAGE } from "./cost/arguments.ts";
import { type Cost, costOf, DEFAULT_LOAD, type Load, usualLoad } from "./cost/model.ts";
import { PLAN_DOLLARS, PRICES, PRICES_IN_FORCE_FROM, PRICES_READ_ON, priceWarning } from "./cost/prices.ts";

const REQUESTS = [10e6, 100e6, 1e9, 10e9];
const MIXES = [
  [0, "`/api`"],
  [0.4, "`/v1` 40 %"],
  [1, "`/v1`"],
] as const;

/** The table of docs/cost.md. */
export function costTable(): string {
  const head =
    "| requests a month | mix | total | per million | Workers | object calls | object duration | rows |\n| --- | --- | --- | --- | --- | --- | --- | --- |";
  const rows = REQUESTS.flatMap((requests) =>
    MIXES.map(([nodeShare, mix]) => tableRow(requests.toLocaleString("en-US"), mix, usualLoad(requests, nodeShare))),
  );
  return [head, tableRow("idle", "", { ...DEFAULT_LOAD, requests: 0 }), ...rows].join("\n");
}

function tableRow(name: string, mix: string, load: Load): string {
  const { total, perMillion, lines } = costOf(load);
  const workers = lines.workerRequests.dollars + lines.workerCpu.dollars;
  const parts = [workers, lines.objectRequests.dollars, lines.objectDuration.dollars, lines.rowsWritten.dollars];
  return `| ${[name, mix, whole(total), load.requests === 0 ? "" : cents(perMillion), ...parts.map(whole)].join(" | ")} |`;
}

function report(cost: Cost): string {
  const lines = Object.entries(cost.lines).map(([name, { amount, dollars }]) => {
    const { included, dollars: price, per, unit } = PRICES[name as keyof typeof PRICES];
    const beyond = `$${price}${per === 1 ? " each" : " a million"} after ${included.toLocaleString("en-US")}`;
    return `  ${cents(dollars).padStart(12)}  ${Math.round(amount).toLocaleString("en-US")} ${unit} (${beyond})`;
  });
  return [
    `${cents(cost.total)} a month, ${cents(cost.perMillion)} a million requests; list prices in force from ${PRICES_IN_FORCE_FROM}, read on ${PRICES_READ_ON}`,
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

await runTool(import.meta.url, USAGE, (words) => {
  const answer = words.length === 0 ? costTable() : report(costOf(parseLoad(words)));
  const warning = priceWarning(Date.now());
  return warning === null ? answer : `${answer}\n${warning}`;
});
