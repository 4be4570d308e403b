import { parseArgs } from "node:util";
import { runTool } from "./command-line.ts";
import { CHECKS } from "./doctor/checks.ts";
import { networkProblems } from "./doctor/network.ts";
import { probe } from "./doctor/probe.ts";
import { nativePath, REPOSITORY_FOLDER, readSchedule } from "./schedule/files.ts";

const USAGE = `usage: npm run doctor -- https://the-address [--no-schedule]
  checks a deployment from outside, and reports each problem with its remedy
  --no-schedule   do not compare its figures with schedule/native.json of this checkout`;
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Exit code: 0 without problems, 1 with problems, 2 for an invalid command line. */
async function doctor(words: readonly string[]): Promise<number> {
  const given = parse(words);
  if (given === null) return print(USAGE, 2);
  const { url, comparesSchedule } = given;
  const network = await networkProblems(url, Date.now());
  const [problem] = network;
  if (problem !== undefined) return print(`network: ${problem}`, 1);
  const ports = { fetch, now: () => Date.now(), pause };
  const answers = await probe(url.origin, ports).catch((cause: unknown) =>
    String(cause instanceof Error ? cause.message : cause),
  );
  if (typeof answers === "string") return print(`network: ${url.origin} does not answer (${answers})`, 1);
  const context = { folder: REPOSITORY_FOLDER, nowMs: Date.now() };
  const schedule = comparesSchedule ? readSchedule(nativePath(context)) : null;
  const expected = { schedule, isLocal: LOCAL_HOST.test(url.hostname) };
  const findings = CHECKS.flatMap(({ name, problems }) =>
    problems(answers, expected).map((each) => `${name}: ${each}`),
  );
  for (const finding of findings) console.log(finding);
  const passed = CHECKS.length - new Set(findings.map((finding) => finding.split(":", 1)[0])).size;
  return print(
    `${passed} of ${CHECKS.length} checks passed: ${CHECKS.map(({ name }) => name).join(", ")}`,
    findings.length > 0 ? 1 : 0,
  );
}

function parse(words: readonly string[]): { url: URL; comparesSchedule: boolean } | null {
  try {
    const options = { "no-schedule": { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    const [address = ""] = positionals;
    if (positionals.length !== 1 || !/^https?:\/\//.test(address) || !URL.canParse(address)) return null;
    return { url: new URL(address), comparesSchedule: !values["no-schedule"] };
  } catch {
    return null;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function print(text: string, code: number): number {
  console.log(text);
  return code;
}

await runTool(import.meta.url, USAGE, doctor);
