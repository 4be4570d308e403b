import { createHash } from "node:crypto";
import { dayText, instantText } from "../../src/base/utc.ts";
import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { familyOf } from "../../src/families/family.ts";
import { isFirst, type TokenChain } from "../../src/families/token-chain.ts";
import { chainFigures } from "../../src/onchain/chain-figures.ts";
import { amountDecimals } from "../../src/onchain/reading.ts";
import { stepAt } from "../../src/supply/circulating.ts";
import { bucketsOf } from "../../src/supply/schedule.ts";
import { walletsOf } from "../../src/supply/wallets.ts";
import { Refusal } from "../lib/command-line.ts";
import { escapeMarkdown } from "../lib/escape.ts";
import type { ChainAt } from "../nodes/given-chains.ts";
import { defillamaFile } from "../schedule/defillama.ts";
import { scheduleWarnings } from "../schedule/warnings.ts";
import { chainText, type Facts } from "./facts.ts";
import { FORMS, type Form } from "./forms.ts";
import { csvText, type Sheet, sumProblems } from "./sheet.ts";
import { sheetsOf, upbitText } from "./sheets.ts";
import { cumulativeSheet, unlockSheet } from "./unlock-sheets.ts";

/** A text by its file's name. */
export type Kit = ReadonlyMap<string, string>;

/** What the files of a token without a chain are made of. */
export type ScheduleFacts = Pick<Facts, "schedule" | "atMs" | "url"> & Partial<Pick<Facts, "reading">>;

/** What the kit's README says beside the facts. */
export interface Evidence {
  /** Where each chain was read, the first one first. */
  readonly chains: readonly Pick<ChainAt, "chain" | "point">[];
  /** SHA-256 of the schedule's file. */
  readonly scheduleHash: string;
  /** Whether the deployment was asked for what it has recorded. */
  readonly isHistoryRead: boolean;
}

/** All files, the README last. The same facts are the same bytes. Refuses with every reason why it would be wrong. */
export function kitOf(facts: Facts, evidence: Evidence): Kit {
  const { schedule, reading } = facts;
  const digits = amountDecimals(reading.reading);
  const listed = walletsOf(schedule);
  const { circulating_supply_on_chain: circulating } = chainFigures(schedule)(reading.reading);
  const sheets = sheetsOf(facts);
  refuse([
    ...(listed.length === 0 ? ["wallets: the schedule lists none, and every form asks for them"] : []),
    ...notStarted(facts, "the reading"),
    ...("reason" in circulating ? [circulating.reason] : []),
    ...reading.contradictions,
    ...sheets.flatMap((each) => sumProblems(each, digits)),
  ]);
  const files = new Map<Form, string>(sheets.map((each) => [each.form, csvText(each)]));
  files.set(FORMS.upbit, upbitText(facts));
  const { minted, burned, total, held, circulating: onChain } = reading.amounts;
  const text = (amount: BaseUnits): string => chainText(facts, amount);
  return written(facts, files, sheets, {
    of: `one reading of ${evidence.chains.map(whereText).join(", and of ")}`,
    amounts: [
      ["minted", text(minted)],
      ["burned", text(burned)],
      ["total", text(total)],
      ["in the project's wallets", text(held)],
      ["circulating on chain", text(onChain)],
    ],
    sums: ["- circulating on chain, the project's wallets and burned are minted"],
    ...reproductionOf(evidence),
    scheduleHash: evidence.scheduleHash,
  });
}

function whereText({ chain, point }: Evidence["chains"][number]): string {
  const name = isFirst(chain) ? "" : `${chain.id}, `;
  return `${name}chain ${point.chainId} at ${versionWordOf(chain)} ${point.version} (${instantText(point.atMs)})`;
}

function versionWordOf({ family }: Pick<TokenChain, "family">): string {
  return familyOf(family).versionWord;
}

/** The command that writes the kit again, and what it needs. */
function reproductionOf({ chains, isHistoryRead }: Evidence): Pick<Said, "reproduced" | "options"> {
  const words = chains.map(({ chain, point }) =>
    isFirst(chain)
      ? `--node NODE_URL --ledger-version ${point.version} --asset '${chain.asset.text}'`
      : `--node ${chain.id}=NODE_URL --ledger-version ${chain.id}=${point.version}`,
  );
  const [first, ...further] = chains;
  const nodes =
    first === undefined || further.length > 0
      ? "nodes that have these versions"
      : `any node that has the ${versionWordOf(first.chain)}`;
  return {
    reproduced: `and ${nodes}, ${isHistoryRead ? "until a recorded figure is corrected, " : ""}this`,
    options: [...words, ...(isHistoryRead ? [] : ["--history none"])].join(" "),
  };
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
  readonly amounts: readonly (readonly [name: string, tokens: string])[];
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
    ["unlocked by the schedule", tokenText(stepAt(schedule, atMs)?.circulating ?? 0n, token.decimals)],
    ["maximum", tokenText(maxSupply, token.decimals)],
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
    ...amounts.map(([name, tokens]) => `| ${name} | ${tokens} |`),
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
