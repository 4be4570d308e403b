import { createHash } from "node:crypto";
import { tokenText } from "../../src/chain/amount.ts";
import { chainFigures } from "../../src/holdings/reading.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import { walletsOf } from "../../src/supply/wallets.ts";
import { instantText } from "../../src/utc.ts";
import { Refusal } from "../command-line.ts";
import { defillamaFile } from "../schedule/defillama.ts";
import { scheduleWarnings } from "../schedule/warnings.ts";
import { FORMS, type Form } from "./forms.ts";
import type { Point } from "./reading.ts";
import { csvText, sumProblems } from "./sheet.ts";
import { type Facts, sheetsOf, upbitText } from "./sheets.ts";

/** A text by its file's name. */
export type Kit = ReadonlyMap<string, string>;

/** What the kit's README says beside the facts. */
export interface Evidence {
  readonly point: Point;
  /** SHA-256 of the schedule's file. */
  readonly scheduleHash: string;
  readonly asset: string;
}

/** All files, the README last. The same facts are the same bytes. Refuses with every reason why it would be wrong. */
export function kitOf(facts: Facts, evidence: Evidence): Kit {
  const { schedule, reading } = facts;
  const { decimals } = schedule.token;
  const listed = walletsOf(schedule);
  const { circulating_supply_on_chain: circulating } = chainFigures(schedule)(reading.reading);
  const sheets = sheetsOf(facts);
  const problems = [
    ...(listed.length === 0 ? ["wallets: the schedule lists none, and every form asks for them"] : []),
    ...(stepAt(schedule, facts.atMs) === undefined ? ["start: is after the ledger version; nothing is unlocked"] : []),
    ...(typeof circulating === "bigint" ? [] : [circulating.reason]),
    ...reading.contradictions,
    ...sheets.flatMap((each) => sumProblems(each, decimals)),
  ];
  if (problems.length > 0) throw new Refusal([...new Set(problems)]);
  const files = new Map<Form, string>(sheets.map((each) => [each.form, csvText(each)]));
  files.set(FORMS.upbit, upbitText(facts));
  if (schedule.plan.kind === "buckets") files.set(FORMS.defillama, defillamaFile(schedule));
  const sums = new Set(sheets.flatMap((each) => each.sums.map(({ what }) => `- ${each.form.file}: ${what}`)));
  const texts = [...files].map(([{ file }, text]) => [file, text] as const);
  return new Map([...texts, ["README.md", readme(facts, evidence, files, sums)]]);
}

/** Each allocation with where its figures come from and how they are known, as far as the schedule says it. */
function allocationLines({ plan, token, sources }: Facts["schedule"]): string[] {
  return (plan.kind === "buckets" ? plan.buckets : []).map(({ label, allocation, source, precision }) => {
    const from = source ?? sources[0]?.url ?? "no source";
    return `- ${label}: ${tokenText(allocation, token.decimals)} ${token.symbol}, ${precision ?? "precision not said"}, ${from}`;
  });
}

export function warningsOf({ schedule, atMs }: Facts): string[] {
  const sample = schedule.sample ? ["the schedule is sample data: do not send these files"] : [];
  return [...sample, ...scheduleWarnings(schedule, atMs).map(({ path, message }) => `${path}: ${message}`)];
}

function readme(facts: Facts, evidence: Evidence, files: ReadonlyMap<Form, string>, sums: Iterable<string>): string {
  const { schedule, reading, atMs, url } = facts;
  const { point, scheduleHash, asset } = evidence;
  const { token, maxSupply, revision } = schedule;
  const { minted, burned, total, held, circulating } = reading.amounts;
  const amounts = [
    ["minted", minted],
    ["burned", burned],
    ["total", total],
    ["in the project's wallets", held],
    ["circulating on chain", circulating],
    ["unlocked by the schedule", stepAt(schedule, atMs)?.circulating ?? 0n],
    ["maximum", maxSupply],
  ] as const;
  const forms = [...files.keys()];
  const namesOf = ({ columns, isVerbatim, source, readOn }: Form): string =>
    `${columns.length === 0 || isVerbatim ? "as in" : "named by us after"} ${source} (read ${readOn})`;
  const list = (lines: readonly string[]): string[] => (lines.length === 0 ? ["None."] : [...lines]);
  return [
    `# Listing kit of ${token.name} (${token.symbol})`,
    "",
    `Revision ${revision} of the schedule and one reading of chain ${point.chainId} at ledger version ${point.version} (${instantText(atMs)}). Compare each form with its source before you send it: nothing has been sent.`,
    "",
    ...table(["figure", `${token.symbol}, exact`]),
    ...amounts.map(([name, amount]) => `| ${name} | ${tokenText(amount, token.decimals)} |`),
    "",
    "These add up exactly, as the files have them:",
    "",
    "- circulating on chain, the project's wallets and burned are minted",
    ...sums,
    "",
    "## Allocations",
    "",
    ...list(allocationLines(schedule)),
    "",
    "## Files",
    "",
    ...table(["file", "for", "columns", "SHA-256"]),
    ...[...files].map(
      ([form, text]) => `| ${form.file} | ${form.recipient} | ${namesOf(form)} | \`${sha256(text)}\` |`,
    ),
    "",
    "## To add by hand",
    "",
    ...forms.flatMap(({ file, byHand }) => (byHand === "" ? [] : [`- ${file}: ${byHand}`])),
    "",
    "## Warnings",
    "",
    ...list(warningsOf(facts).map((warning) => `- ${warning}`)),
    "",
    "## Reproduce",
    "",
    `With the schedule of SHA-256 \`${scheduleHash}\` and any node that has the ledger version, this writes the same bytes:`,
    "",
    "```",
    `npm run listing -- --node NODE_URL --ledger-version ${point.version} --asset '${asset}' --url ${url} --out FOLDER`,
    "```",
    "",
  ].join("\n");
}

function table(columns: readonly string[]): string[] {
  return [`| ${columns.join(" | ")} |`, `|${columns.map(() => " --- |").join("")}`];
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
