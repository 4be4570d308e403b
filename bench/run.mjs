import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BENCH, machine, missing } from "./lib/machine.mjs";

/** Each section measures one part of the product and gives its Markdown. */
const SECTIONS = {
  limiter: async (options) => (await import("./limiter.mjs")).limiterSection(options),
};

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "5" },
    callers: { type: "string", default: "10000" },
    port: { type: "string", default: "20200" },
    only: { type: "string", default: Object.keys(SECTIONS).join(",") },
    "dry-run": { type: "boolean", default: false },
  },
});

const needs = missing();
if (needs.length > 0) {
  console.error(`npm run bench needs, before it can measure:\n${needs.map((need) => `  ${need}`).join("\n")}`);
  process.exit(1);
}

const options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  callers: Number(values.callers),
  port: Number(values.port),
  say: (line) => console.error(line),
};
const parts = [];
for (const name of values.only.split(",")) parts.push(await SECTIONS[name](options));

const { rounds, seconds } = options;
const text = `# Benchmark results

Written by \`npm run bench\`. ${machine()}. The production bundle under plain \`workerd serve\`, ${rounds} rounds in turn, ${seconds} s a run, medians.

${parts.join("\n\n")}
`;
console.log(text);
if (!values["dry-run"]) writeFileSync(join(BENCH, "results.md"), text);
