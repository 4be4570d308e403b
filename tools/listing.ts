import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readBrand } from "../page/build/brand.ts";
import { DAY_MS } from "../src/base/utc.ts";
import { DEFAULT_FAMILY } from "../src/families/family.ts";
import { hasUnlocks } from "../src/supply/schedule.ts";
import { readChains } from "./chain-reading.ts";
import { deploymentUrl } from "./deployment-url.ts";
import { EXIT, parseCommandLine, Refusal, runTool } from "./lib/command-line.ts";
import { displayPath } from "./lib/display-path.ts";
import { refusingWriteErrors, replaceFiles } from "./lib/replace-file.ts";
import { type Kit, listingKit, scheduleOnlyKit, sha256, warningsOf } from "./listing/kit.ts";
import { recordedBefore } from "./listing/plan-sheet.ts";
import { type ChainAt, chainAt, givenChains, versionText } from "./nodes/given-chains.ts";
import { nativePath, REPOSITORY_FOLDER, readSchedule, readText, unlockScheduleOf } from "./schedule/files.ts";

const HELP = `usage: npm run listing -- --node URL --out FOLDER [--url ADDRESS] [--ledger-version N] [--asset TYPE] [--history none]
  writes the files that trackers and exchanges ask for, from the schedule and one reading of the chain; sends nothing
  --node             base URL of a chain node, ending in /v1; or none: only the files that follow from the schedule
                     (of an EVM chain any JSON-RPC address);
                     of each further chain of the schedule one more, as ID=URL
  --out              the folder to write to
  --url              address of the deployment; by default the custom domain of production in wrangler.toml
  --ledger-version   by default the newest; of an EVM chain a block's number; of a further chain ID=N
  --asset            type or address of the token; by default the schedule's, or NATIVE_ASSET in wrangler.toml
  --history          none: leave out the deployment's recorded days, as before its first day`;
const TEXT = { type: "string" } as const;
const TEXTS = { ...TEXT, multiple: true } as const;
const OPTIONS = { node: TEXTS, out: TEXT, url: TEXT, "ledger-version": TEXTS, asset: TEXT, history: TEXT } as const;

async function listing(words: string[]): Promise<string> {
  const { values } = parseCommandLine(HELP, { args: words, options: OPTIONS });
  const { node: nodes = [], out = "", "ledger-version": versions = [], asset, history } = values;
  const path = nativePath({ folder: REPOSITORY_FOLDER, nowMs: 0 });
  const schedule = readSchedule(path);
  const hasNoChain = nodes.join() === "none";
  const given = hasNoChain ? null : givenChains({ nodes, versions, asset }, schedule);
  const problems = [
    ...(given !== null && "problems" in given ? given.problems : []),
    ...(hasNoChain && versions.length > 0 ? ["--ledger-version: needs a --node"] : []),
    ...(out === "" ? ["--out: missing; the folder to write to"] : []),
    ...(history === undefined || history === "none" ? [] : ["--history: must be none"]),
  ];
  if (problems.length > 0 || (given !== null && "problems" in given)) throw new Refusal(problems, EXIT.unusable);
  const url = deploymentUrl(values.url);
  const scheduleHash = sha256(readText(path));
  if (given === null) {
    // The same bytes all day.
    const atMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const facts = { schedule: unlockScheduleOf(schedule), atMs, url };
    return write(out, scheduleOnlyKit(facts, scheduleHash), "from the schedule alone", warningsOf(facts));
  }
  const chains = await Promise.all(given.chains.map((chain) => chainAt(chain, schedule)));
  const reading = await readChains(chains, schedule);
  const atMs = reading.reading.readAtMs;
  const explorer = readBrand(schedule.token, familyOfFirst(chains)).explorer ?? null;
  // Recorded days are compared with the unlock plan only, so without unlocks they are not read.
  const isHistoryRead = history === undefined && hasUnlocks(schedule);
  const recorded = isHistoryRead ? await recordedBefore(atMs, schedule, url, fetch) : [];
  const facts = { schedule, reading, atMs, url, explorer, recorded };
  const kit = listingKit(facts, { chains, scheduleHash, isHistoryRead });
  const at = chains.map(versionText).join(", ");
  return write(out, kit, `at ${at}`, warningsOf(facts));
}

/** The brand names the explorer of the first chain. */
function familyOfFirst([first]: readonly ChainAt[]) {
  return first?.chain.family ?? DEFAULT_FAMILY;
}

function write(out: string, kit: Kit, of: string, warnings: readonly string[]): string {
  refusingWriteErrors(out, () => mkdirSync(out, { recursive: true }));
  replaceFiles([...kit].map(([name, text]) => [join(out, name), text]));
  return [
    `${displayPath(out)}: ${kit.size} files ${of}; every sum adds up; nothing was sent`,
    ...[...kit.keys()].map((name) => `  ${name}`),
    ...warnings.map((warning) => `warning: ${warning}`),
  ].join("\n");
}

await runTool(import.meta.url, HELP, listing);
