import { join } from "node:path";
import { commandOptions } from "../tools/lib/command-line.ts";
import { BENCH, machine, machineSpeed, missing } from "./lib/machine.mjs";
import { runSections } from "./lib/results.ts";

/** Each section measures one part of the product and returns its Markdown, which begins with this title. */
const SECTIONS = {
  limiter: { title: "## Limiter", run: async (options) => (await import("./limiter.mjs")).limiterSection(options) },
  distance: { title: "## Distance", run: async (options) => (await import("./distance.mjs")).distanceSection(options) },
  readings: { title: "## Readings", run: async (options) => (await import("./readings.mjs")).readingsSection(options) },
  evm: { title: "## EVM readings", run: async (options) => (await import("./evm.mjs")).evmSection(options) },
  gateway: { title: "## Gateway", run: async (options) => (await import("./gateway.mjs")).gatewaySection(options) },
  plan: { title: "## Free plan", run: async (options) => (await import("./free-plan.mjs")).freePlanSection(options) },
};

const HELP = `usage: npm run bench -- [--only ${Object.keys(SECTIONS).join(",")}] [--dry-run] [OPTION N]...
  --only            the sections to measure, comma-separated
  --dry-run         measure, and leave bench/results.md as it is
  --rounds, --seconds, --callers, --port
                    a number each: the duration and amount of the measurement, and the first port`;

const values = commandOptions(HELP, {
  rounds: { type: "string", default: "2" },
  seconds: { type: "string", default: "3" },
  callers: { type: "string", default: "10000" },
  port: { type: "string", default: "20200" },
  only: { type: "string", default: Object.keys(SECTIONS).join(",") },
  "dry-run": { type: "boolean", default: false },
});

const chosen = values.only.split(",");
const unknown = chosen.filter((name) => SECTIONS[name] === undefined);
const needs = [...missing(chosen), ...unknown.map((name) => `a section that exists, not ${JSON.stringify(name)}`)];
if (needs.length > 0) {
  console.error(`npm run bench needs, before it can measure:\n${needs.map((need) => `  ${need}`).join("\n")}`);
  process.exit(1);
}

const options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  callers: Number(values.callers),
  port: Number(values.port),
  log: (line) => console.error(line),
};
const sections = chosen.map((name) => ({ name, title: SECTIONS[name].title, run: () => measured(SECTIONS[name]) }));
const failed = await runSections(sections, {
  file: values["dry-run"] ? null : join(BENCH, "results.md"),
  order: Object.values(SECTIONS).map(({ title }) => title),
  log: options.log,
});
if (failed.length > 0) {
  console.error(`not measured: ${failed.join(", ")}`);
  process.exitCode = 1;
}

async function measured({ run }) {
  const startedAt = performance.now();
  const speed = machineSpeed();
  const text = await run(options);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  return `${text}

Measured in ${minutes} min, ${options.rounds} rounds of ${options.seconds} s a run unless stated otherwise, on ${machine()}; one core counts ${speed} million steps of a fixed loop a second, before the section.`;
}
