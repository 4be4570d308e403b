import { createHash } from "node:crypto";
import { dayText, instantText } from "../../src/base/utc.ts";
import { type BaseUnits, tokenText } from "../../src/chain/amount.ts";
import { familyOf } from "../../src/families/family.ts";
import { isFirst, type TokenChain } from "../../src/families/token-chain.ts";
import { chainFigures } from "../../src/onchain/chain-figures.ts";
import { amountDecimals } from "../../src/onchain/reading.ts";
import { circulatingAt, stepAt } from "../../src/supply/circulating.ts";
import { bucketsOf, hasUnlocks, type UnlockSchedule } from "../../src/supply/schedule.ts";
import { walletsOf } from "../../src/supply/wallets.ts";
import { Refusal } from "../lib/command-line.ts";
import { escapeMarkdown } from "../lib/escape.ts";
import type { ChainAt } from "../nodes/given-chains.ts";
import { defillamaFile } from "../schedule/defillama.ts";
import { scheduleWarnings } from "../schedule/warnings.ts";
import { chainText, type Facts, maximumText } from "./facts.ts";
import { FORMS, type Form } from "./forms.ts";
import { csvText, type Sheet, sumProblems } from "./sheet.ts";
import { sheetsOf, upbitText } from "./sheets.ts";
import { cumulativeSheet, unlockSheet } from "./unlock-sheets.ts";

/** Texts of the kit by file name. */
export type Kit = ReadonlyMap<string, string>;

/** Facts for the files of a token without a chain. */
export type ScheduleFacts = Pick<Facts, "schedule" | "atMs" | "url"> & Partial<Pick<Facts, "reading">>;

/** Facts for the files that follow from an unlock schedule alone. */
type UnlockFacts = ScheduleFacts & { readonly schedule: UnlockSchedule };

/** Facts that only the README of the kit states. */
export interface ReadmeFacts {
  /** Point at which each chain was read, the first chain first. */
  readonly chains: readonly Pick<ChainAt, "chain" | "point">[];
  /** SHA-256 of the schedule's file. */
  readonly scheduleHash: string;
  /** Whether the deployment was asked for its recorded days. */
  readonly isHistoryRead: boolean;
}

/**
 * Makes all files, the README last. Equal facts give equal bytes. Refuses with every reason why the kit would be wrong.
 */
export function listingKit(facts: Facts, evidence: ReadmeFacts): Kit {
  const { schedule, reading } = facts;
  const digits = amountDecimals(reading.reading);
  const listed = walletsOf(schedule);
  const { circulating_supply_on_chain: circulating } = chainFigures(schedule)(reading.reading);
  const sheets = sheetsOf(facts);
  refuseProblems([
    ...(hasUnlocks(schedule) && listed.length === 0
      ? ["wallets: the schedule lists none, and every form asks for them"]
      : []),
    ...startProblems(facts, "the reading"),
    ...("reason" in circulating ? [circulating.reason] : []),
    ...reading.contradictions,
    ...sheets.flatMap((each) => sumProblems(each, digits)),
  ]);
  const files = new Map<Form, string>(sheets.map((each) => [each.form, csvText(each)]));
  files.set(FORMS.upbit, upbitText(facts));
  const { minted, burned, total, held, circulating: onChain } = reading.amounts;
  const text = (amount: BaseUnits): string => chainText(facts, amount);
  return kitFiles(facts, files, sheets, {
    of: `one reading of ${evidence.chains.map(pointText).join(", and of ")}`,
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

function pointText({ chain, point }: ReadmeFacts["chains"][number]): string {
  const name = isFirst(chain) ? "" : `${chain.id}, `;
  return `${name}chain ${point.chainId} at ${versionWordOf(chain)} ${point.version} (${instantText(point.atMs)})`;
}

function versionWordOf({ family }: Pick<TokenChain, "family">): string {
  return familyOf(family).versionWord;
}

/** Describes the command that writes the same kit again, and the nodes that it needs. */
function reproductionOf({ chains, isHistoryRead }: ReadmeFacts): Pick<ReadmePassages, "reproduced" | "options"> {
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

/** Makes the files that follow from the schedule alone. Forms that ask for balances need a chain. */
export function scheduleOnlyKit(facts: UnlockFacts, scheduleHash: string): Kit {
  const { schedule, atMs } = facts;
  const sheets = [unlockSheet(schedule), cumulativeSheet(schedule)];
  refuseProblems([
    ...startProblems(facts, "today"),
    ...sheets.flatMap((each) => sumProblems(each, schedule.token.decimals)),
  ]);
  return kitFiles(facts, new Map<Form, string>(sheets.map((each) => [each.form, csvText(each)])), sheets, {
    of: `no reading of a chain: the forms that ask for balances are not among the files. Figures are those of ${dayText(atMs)}`,
    amounts: [],
    sums: [],
    reproduced: "this, on the same day,",
    options: "--node none",
    scheduleHash,
  });
}

function startProblems({ schedule, atMs }: ScheduleFacts, when: string): string[] {
  return hasUnlocks(schedule) && stepAt(schedule, atMs) === undefined
    ? [`start: is after ${when}; nothing is unlocked`]
    : [];
}

function refuseProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new Refusal([...new Set(problems)]);
}

/** Adds the README, and DefiLlama's file for a schedule with buckets. */
function kitFiles(
  facts: ScheduleFacts,
  files: Map<Form, string>,
  sheets: readonly Sheet[],
  common: ReadmePassages,
): Kit {
  const { schedule } = facts;
  if (hasUnlocks(schedule) && schedule.plan.kind === "buckets") files.set(FORMS.defillama, defillamaFile(schedule));
  const sums = new Set(sheets.flatMap((each) => each.sums.map(({ what }) => `- ${each.form.file}: ${what}`)));
  const texts = [...files].map(([{ file }, text]) => [file, text] as const);
  const passages = { ...common, sums: [...common.sums, ...sums], unanswered: sheets.flatMap(unansweredIn) };
  return new Map([...texts, ["README.md", readme(facts, files, passages)]]);
}

/** Questions of a form that a person has to answer. */
function unansweredIn({ form, rows }: Sheet): string[] {
  if (form.questions === undefined) return [];
  return rows.filter(([, answer]) => answer === "").map(([question]) => `- ${form.file}: ${question}`);
}

/** Passages of the README that depend on the origin of the figures. */
interface ReadmePassages {
  readonly of: string;
  /** Amounts on chain. */
  readonly amounts: readonly (readonly [name: string, tokens: string])[];
  readonly sums: readonly string[];
  readonly reproduced: string;
  readonly options: string;
  readonly scheduleHash: string;
}

/** Lines about the allocations: amount, precision and source, as far as the schedule states them. */
function allocationLines(schedule: Facts["schedule"]): string[] {
  const { token, sources } = schedule;
  return bucketsOf(schedule).map(({ label, allocation, source, precision }) => {
    const url = source ?? sources[0]?.url;
    const from = url === undefined ? "no source" : new URL(url).href;
    return `- ${escapeMarkdown(label)}: ${tokenText(allocation, token.decimals)} ${escapeMarkdown(token.symbol)}, ${precision ?? "precision not stated"}, ${from}`;
  });
}

export function warningsOf({ schedule, atMs, reading }: ScheduleFacts): string[] {
  const sample = schedule.sample ? ["the schedule is sample data: do not send these files"] : [];
  return [
    ...sample,
    ...(reading?.departures ?? []),
    ...(reading?.differences ?? []),
    ...scheduleWarnings(schedule, atMs).map(({ path, message }) => `${path}: ${message}`),
  ];
}

function readme(
  facts: ScheduleFacts,
  files: ReadonlyMap<Form, string>,
  passages: ReadmePassages & { readonly unanswered: readonly string[] },
): string {
  const { schedule, atMs, url } = facts;
  const { token, revision } = schedule;
  const symbol = escapeMarkdown(token.symbol);
  const amounts = [
    ...passages.amounts,
    ...(hasUnlocks(schedule)
      ? [["unlocked by the schedule", tokenText(circulatingAt(schedule, atMs), token.decimals)] as const]
      : []),
    ["maximum", maximumText(schedule)],
  ] as const;
  const forms = [...files.keys()];
  const namesOf = ({ columns, isVerbatim, source, readOn }: Form): string =>
    `${columns.length === 0 || isVerbatim ? "as in" : "named by us after"} ${source} (read ${readOn})`;
  const list = (lines: readonly string[]): string[] => (lines.length === 0 ? ["None."] : [...lines]);
  return [
    `# Listing kit of ${escapeMarkdown(token.name)} (${symbol})`,
    "",
    `Revision ${revision} of the ${hasUnlocks(schedule) ? "schedule" : "wallet list"} and ${passages.of}. Compare each form with its source before you send it: nothing has been sent.`,
    "",
    ...table(["figure", `${symbol}, exact`]),
    ...amounts.map(([name, tokens]) => `| ${name} | ${tokens} |`),
    "",
    "These sums in the files are exact:",
    "",
    ...passages.sums,
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
    ...passages.unanswered,
    "",
    "## Warnings",
    "",
    ...list(warningsOf(facts).map((warning) => `- ${escapeMarkdown(warning)}`)),
    "",
    "## Reproduce",
    "",
    `With the schedule of SHA-256 \`${passages.scheduleHash}\` ${passages.reproduced} writes the same bytes:`,
    "",
    "```",
    `npm run listing -- ${passages.options} --url ${url} --out FOLDER`,
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
