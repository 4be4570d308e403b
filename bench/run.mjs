import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOptions } from "../tools/command-options.ts";
import { BENCH, machine, machineSpeed, missing } from "./lib/machine.mjs";

/** Each section measures one part of the product and returns its Markdown, which begins with this title. */
const SECTIONS = {
  limiter: { title: "## Limiter", run: async (options) => (await import("./limiter.mjs")).limiterSection(options) },
  distance: { title: "## Distance", run: async (options) => (await import("./distance.mjs")).distanceSection(options) },
  gateway: { title: "## Gateway", run: async (options) => (await import("./gateway.mjs")).gatewaySection(options) },
  memory: { title: "## Memory", run: async (options) => (await import("./memory.mjs")).memorySection(options) },
  node: { title: "## Embedded node", run: async (options) => (await import("./node.mjs")).nodeSection(options) },
};
const RESULTS = join(BENCH, "results.md");

const HELP = `usage: npm run bench -- [--only ${Object.keys(SECTIONS).join(",")}] [--dry-run] [OPTION N]...
  --only            the sections to measure, comma-separated
  --dry-run         measure, and leave bench/results.md as it is
  --rounds, --seconds, --callers, --versions, --grow-seconds, --keys-seconds, --distinct-keys, --port
                    a number each: how long and how much is measured, and from which port on`;

const values = commandOptions(HELP, {
  rounds: { type: "string", default: "3" },
  seconds: { type: "string", default: "5" },
  callers: { type: "string", default: "10000" },
  /** Node section: the length of its chain, and the time it may take to grow. */
  versions: { type: "string", default: "200000" },
  "grow-seconds": { type: "string", default: "240" },
  /** Gateway section: for how long distinct keys are read while memory is measured. */
  "keys-seconds": { type: "string", default: "120" },
  /** Memory section: how many distinct keys pass. */
  "distinct-keys": { type: "string", default: "1000000" },
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
  versions: Number(values.versions),
  growSeconds: Number(values["grow-seconds"]),
  keysSeconds: Number(values["keys-seconds"]),
  distinctKeys: Number(values["distinct-keys"]),
  port: Number(values.port),
  say: (line) => console.error(line),
};
const parts = stored();
const broken = [];
for (const name of chosen) {
  const startedAt = performance.now();
  const speed = machineSpeed();
  const text = await SECTIONS[name].run(options).catch((cause) => {
    // The results of other sections are not lost.
    broken.push(name);
    console.error(`${name}: ${cause?.stack ?? cause}`);
    return undefined;
  });
  if (text === undefined) continue;
  const took = `Measured in ${Math.ceil((performance.now() - startedAt) / 60_000)} min, ${options.rounds} rounds of ${options.seconds} s a run where nothing else is said, on ${machine()}; one core counts ${speed} million steps of a fixed loop a second, before the section.`;
  parts.set(SECTIONS[name].title, `${text}\n\n${took}`);
}

const order = Object.values(SECTIONS).map(({ title }) => title);
const titles = [
  ...order.filter((title) => parts.has(title)),
  ...[...parts.keys()].filter((title) => !order.includes(title)),
];
const text = `# Benchmark results

Written by \`npm run bench\`: production bundles under plain \`workerd serve\`. Each section is measured by itself (\`npm run bench -- --only gateway\`) and stays until it is measured again. Ratios are of one run; figures of different sections do not compare.

${titles.map((title) => parts.get(title)).join("\n\n")}
`;
console.log(text);
if (!values["dry-run"]) writeFileSync(RESULTS, text);
if (broken.length > 0) {
  console.error(`not measured: ${broken.join(", ")}`);
  process.exitCode = 1;
}

/** The sections of earlier runs, by their titles. */
function stored() {
  const earlier = existsSync(RESULTS) ? readFileSync(RESULTS, "utf8") : "";
  const found = earlier.split(/^(?=## )/m).slice(1);
  return new Map(found.map((part) => [part.slice(0, part.indexOf("\n")), part.trim()]));
}
