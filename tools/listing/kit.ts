import { createHash } from "node:crypto";
import { dayText, instantText } from "../../src/base/utc.ts";
import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { chainFigures } from "../../src/onchain/reading.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import { bucketsOf } from "../../src/supply/schedule.ts";
import { walletsOf } from "../../src/supply/wallets.ts";
import { Refusal } from "../command-line.ts";
import type { Point } from "../nodes/given-node.ts";
import { escapeMarkdown } from "../page/escape.ts";
import { defillamaFile } from "../schedule/defillama.ts";
import { scheduleWarnings } from "../schedule/warnings.ts";
import { FORMS, type Form } from "./forms.ts";
import { csvText, type Sheet, sumProblems } from "./sheet.ts";
import { type Facts, sheetsOf, upbitText } from "./sheets.ts";
import { cumulativeSheet, unlockSheet } from "./unlock-sheets.ts";

/** A text by its file's name. */
export type Kit = ReadonlyMap<string, string>;

/** What the files of a token without a chain are made of. */
export type ScheduleFacts = Pick<Facts, "schedule" | "atMs" | "url"> & Partial<Pick<Facts, "reading">>;

/** What the kit's README says beside the facts. */
export interface Evidence {
  readonly point: Point;
  /** What the point's version is called. */
  readonly version: string;
  /** SHA-256 of the schedule's file. */
  readonly scheduleHash: string;
  readonly asset: string;
  /** Whether the deployment was asked for what it has recorded. */
  readonly isHistoryRead: boolean;
}

/** All files, the README last. The same facts are the same bytes. Refuses with every reason why it would be wrong. */
export function kitOf(facts: Facts, evidence: Evidence): Kit {
  const { schedule, reading } = facts;
  const { decimals } = schedule.token;
  const listed = walletsOf(schedule);
  const { circulating_supply_on_chain: circulating } = chainFigures(schedule)(reading.reading);
  const sheets = sheetsOf(facts);
  refuse([
    ...(listed.length === 0 ? ["wallets: the schedule lists none, and every form asks for them"] : []),
    ...notStarted(facts, `the ${evidence.version}`),
    ...("reason" in circulating ? [circulating.reason] : []),
    ...reading.contradictions,
    ...sheets.flatMap((each) => sumProblems(each, decimals)),
  ]);
  const files = new Map<Form, string>(sheets.map((each) => [each.form, csvText(each)]));
  files.set(FORMS.upbit, upbitText(facts));
  const { point, asset, isHistoryRead } = evidence;
  const { minted, burned, total, held, circulating: onChain } = reading.amounts;
  return written(facts, files, sheets, {
    of: `one reading of chain ${point.chainId} at ${evidence.version} ${point.version} (${instantText(facts.atMs)})`,
    amounts: [
      ["minted", minted],
      ["burned", burned],
      ["total", total],
      ["in the project's wallets", held],
      ["circulating on chain", onChain],
    ],
    sums: ["- circulating on chain, the project's wallets and burned are minted"],
    reproduced: `and any node that has the ${evidence.version}, ${isHistoryRead ? "until a recorded figure is corrected, " : ""}this`,
    options: `--node NODE_URL --ledger-version ${point.version} --asset '${asset}'${isHistoryRead ? "" : " --history none"}`,
    scheduleHash: evidence.scheduleHash,
  });
}

/** What follows from the schedule alone: the forms that ask for balances need a chain. */
export function scheduleKitOf(facts: ScheduleFacts, scheduleHash: string): Kit {
  const { schedule, atMs } = facts;
  const sheets = [unlockSheet(schedule), cumulativeSheet(schedule)];
  refuse([...notStarted(facts, "today"), ...sheets.flatMap((each) => sumProblems(each, schedule.token.decimals))]);
  return written(facts, new Map<Form, string>(sheets.map((each) => [each.form, csvText(each)])), sheets, {
    of: `no reading of a chain: the forms that ask for balances are not among the files. Figures are those of ${dayText(atMs)}`,
    amounts: [],
    sums: [],
    reproduced: "this, on the same day,",
    options: "--node none",
    scheduleHash,
  });
}

function notStarted({ schedule, atMs }: ScheduleFacts, when: string): string[] {
  return stepAt(schedule, atMs) === undefined ? [`start: is after ${when}; nothing is unlocked`] : [];
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new Refusal([...new Set(problems)]);
}

/** All files, the README last. */
function written(facts: ScheduleFacts, files: Map<Form, string>, sheets: readonly Sheet[], said: Said): Kit {
  if (facts.schedule.plan.kind === "buckets") files.set(FORMS.defillama, defillamaFile(facts.schedule));
  const sums = new Set(sheets.flatMap((each) => each.sums.map(({ what }) => `- ${each.form.file}: ${what}`)));
  const texts = [...files].map(([{ file }, text]) => [file, text] as const);
  const told = { ...said, sums: [...said.sums, ...sums], unanswered: sheets.flatMap(unansweredIn) };
  return new Map([...texts, ["README.md", readme(facts, files, told)]]);
}

/** The questions of a form that a person answers. */
function unansweredIn({ form, rows }: Sheet): string[] {
  if (form.questions === undefined) return [];
  return rows.filter(([, answer]) => answer === "").map(([question]) => `- ${form.file}: ${question}`);
}

/** What the README says of where the files come from. */
interface Said {
  readonly of: string;
  /** Of the chain. */
  readonly amounts: readonly (readonly [name: string, amount: BaseUnits])[];
  readonly sums: readonly string[];
  readonly reproduced: string;
  readonly options: string;
  readonly scheduleHash: string;
}

/** Each allocation with where its figures come from and how they are known, as far as the schedule says it. */
function allocationLines(schedule: Facts["schedule"]): string[] {
  const { token, sources } = schedule;
  return bucketsOf(schedule).map(({ label, allocation, source, precision }) => {
    const url = source ?? sources[0]?.url;
    const from = url === undefined ? "no source" : new URL(url).href;
    return `- ${escapeMarkdown(label)}: ${tokenText(allocation, token.decimals)} ${escapeMarkdown(token.symbol)}, ${precision ?? "precision not said"}, ${from}`;
  });
}

export function warningsOf({ schedule, atMs, reading }: ScheduleFacts): string[] {
  const sample = schedule.sample ? ["the schedule is sample data: do not send these files"] : [];
  return [
    ...sample,
    ...(reading?.departures ?? []),
    ...scheduleWarnings(schedule, atMs).map(({ path, message }) => `${path}: ${message}`),
  ];
}

function readme(
  facts: ScheduleFacts,
  files: ReadonlyMap<Form, string>,
  said: Said & { readonly unanswered: readonly string[] },
): string {
  const { schedule, atMs, url } = facts;
  const { token, maxSupply, revision } = schedule;
  const symbol = escapeMarkdown(token.symbol);
  const amounts = [
    ...said.amounts,
    ["unlocked by the schedule", stepAt(schedule, atMs)?.circulating ?? 0n],
    ["maximum", maxSupply],
  ] as const;
  const forms = [...files.keys()];
  const namesOf = ({ columns, isVerbatim, source, readOn }: Form): string =>
    `${columns.length === 0 || isVerbatim ? "as in" : "named by us after"} ${source} (read ${readOn})`;
  const list = (lines: readonly string[]): string[] => (lines.length === 0 ? ["None."] : [...lines]);
  return [
    `# Listing kit of ${escapeMarkdown(token.name)} (${symbol})`,
    "",
    `Revision ${revision} of the schedule and ${said.of}. Compare each form with its source before you send it: nothing has been sent.`,
    "",
    ...table(["figure", `${symbol}, exact`]),
    ...amounts.map(([name, amount]) => `| ${name} | ${tokenText(amount, token.decimals)} |`),
    "",
    "These add up exactly, as the files have them:",
    "",
    ...said.sums,
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
    ...said.unanswered,
    "",
    "## Warnings",
    "",
    ...list(warningsOf(facts).map((warning) => `- ${escapeMarkdown(warning)}`)),
    "",
    "## Reproduce",
    "",
    `With the schedule of SHA-256 \`${said.scheduleHash}\` ${said.reproduced} writes the same bytes:`,
    "",
    "```",
    `npm run listing -- ${said.options} --url ${url} --out FOLDER`,
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
