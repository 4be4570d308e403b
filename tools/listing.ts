import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../src/base/utc.ts";
import { assetText } from "../src/chain/asset.ts";
import { isNative, walletsOf } from "../src/supply/wallets.ts";
import { readChain } from "./chain-reading.ts";
import { parseWords, Refusal, runTool } from "./command-line.ts";
import { deploymentUrl } from "./deployment-url.ts";
import { type Kit, kitOf, scheduleKitOf, sha256, warningsOf } from "./listing/kit.ts";
import { recordedBefore } from "./listing/plan-sheet.ts";
import { termsOf } from "./nodes/families.ts";
import { readBrand } from "./page/brand.ts";
import { replaceFiles, writing } from "./replace-file.ts";
import { displayPath, nativePath, REPOSITORY_FOLDER, readSchedule, readText } from "./schedule/files.ts";

const HELP = `usage: npm run listing -- --node URL --out FOLDER [--url ADDRESS] [--ledger-version N] [--asset TYPE] [--history none]
  writes what trackers and exchanges ask for, from the schedule and one reading at one ledger version; sends nothing
  --node             base URL of a chain node, ending in /v1; or none: only the files that follow from the schedule
  --out              the folder to write to
  --url              address of the deployment; by default the custom domain of production in wrangler.toml
                     (of an EVM chain, which CHAIN_FAMILY in wrangler.toml says: any JSON-RPC address)
  --ledger-version   by default the newest; of an EVM chain a block's number
  --asset            type or address of the token; by default the Move chain's own, or NATIVE_ASSET in wrangler.toml
  --history          none: without what the deployment has recorded, as before its first day`;
const TEXT = { type: "string" } as const;
const OPTIONS = { node: TEXT, out: TEXT, url: TEXT, "ledger-version": TEXT, asset: TEXT, history: TEXT } as const;

async function listing(words: string[]): Promise<string> {
  const { values } = parseWords(HELP, { args: words, options: OPTIONS });
  const { node = "", out = "", "ledger-version": version } = values;
  const terms = termsOf();
  const asset = node === "none" ? null : terms.asset.parse(values.asset ?? terms.asset.fallback());
  const problems = [
    ...(node === "none" || terms.url.pattern.test(node)
      ? []
      : [`--node: must be ${terms.url.what}, or none for the files that need no chain`]),
    ...(node === "none" && version !== undefined ? ["--ledger-version: needs a --node"] : []),
    ...(out === "" ? ["--out: missing; the folder to write to"] : []),
    ...(version === undefined || /^(0|[1-9]\d{0,19})$/.test(version) ? [] : ["--ledger-version: must be digits"]),
  ];
  if (values.history !== undefined && values.history !== "none") problems.push("--history: must be none");
  if (asset === undefined) problems.push(`--asset: must be ${terms.asset.what}`);
  if (problems.length > 0 || asset === undefined) throw new Refusal(problems);
  const url = deploymentUrl(values.url);
  const path = nativePath({ folder: REPOSITORY_FOLDER, nowMs: 0 });
  const schedule = readSchedule(path);
  const scheduleHash = sha256(readText(path));
  if (asset === null) {
    // The same bytes all day.
    const atMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const facts = { schedule, atMs, url };
    return write(out, scheduleKitOf(facts, scheduleHash), "from the schedule alone", warningsOf(facts));
  }
  const given = terms.nodeAt(node);
  const point = await given.pointAt(version === undefined ? null : BigInt(version));
  const chain = await given.at(point.version, walletsOf(schedule).filter(isNative));
  const reading = await readChain(chain, asset, schedule, point.atMs);
  const explorer = readBrand(schedule.token).explorer ?? null;
  const isHistoryRead = values.history === undefined;
  const recorded = isHistoryRead ? await recordedBefore(point.atMs, schedule, url, fetch) : [];
  const facts = { schedule, reading, atMs: point.atMs, url, explorer, recorded };
  const kit = kitOf(facts, { point, version: terms.version, scheduleHash, asset: assetText(asset), isHistoryRead });
  return write(out, kit, `at ${terms.version} ${point.version}`, warningsOf(facts));
}

function write(out: string, kit: Kit, of: string, warnings: readonly string[]): string {
  writing(out, () => mkdirSync(out, { recursive: true }));
  replaceFiles([...kit].map(([name, text]) => [join(out, name), text]));
  return [
    `${displayPath(out)}: ${kit.size} files ${of}; every sum adds up; nothing was sent`,
    ...[...kit.keys()].map((name) => `  ${name}`),
    ...warnings.map((warning) => `warning: ${warning}`),
  ].join("\n");
}

await runTool(import.meta.url, HELP, listing);
