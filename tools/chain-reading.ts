import { basisPoints, PLAN_TOLERANCE_PERCENT } from "../src/config.ts";
import type { ChainNode } from "../src/families/chain-node.ts";
import { accept, NO_HISTORY } from "../src/onchain/acceptance.ts";
import { askNodes } from "../src/onchain/ask.ts";
import { combineChains, type RoundResult } from "../src/onchain/combine-chains.ts";
import { figureProblems } from "../src/onchain/cross-check.ts";
import { amountDecimals, anomalyText, type Reading, stateOf, sumOfBalances } from "../src/onchain/reading.ts";
import { chainRules, onlyChainRules, type ReadingRules, violatedTokenInvariant } from "../src/onchain/rules.ts";
import type { ProblemCode } from "../src/problems.ts";
import { constantSums } from "../src/supply/constants.ts";
import type { Schedule } from "../src/supply/schedule.ts";
import { isBurnedForGood, type Wallet, walletsOf } from "../src/supply/wallets.ts";
import { Refusal } from "./lib/command-line.ts";
import type { ChainAt } from "./nodes/given-chains.ts";
import type { Point } from "./nodes/given-node.ts";

/** Settings with which a node's report is accepted as it is, however far it is from the schedule. */
export const ACCEPT_AS_READ = {
  chainSource: "embedded",
  supplyStepPercent: 100,
  aboveMaxPercent: 1_000_000,
  confirmSeconds: 0,
  staking: false,
} as const;

/** Reads a token at the node's version from that node alone; returns the reason when there is no reading. */
export async function readingAt(
  node: ChainNode,
  rules: ReadingRules,
  atMs: number,
): Promise<Reading | { readonly reason: string }> {
  let nowMs = atMs;
  // The node has the version now or never, so waiting is skipped.
  const sleep = async (milliseconds: number) => {
    nowMs += milliseconds;
  };
  const answering = [{ ...node, newestAtMs: atMs, timeOf: async () => null }];
  const ports = { nodes: async () => ({ configured: [node.label], answering }), now: () => nowMs, sleep };
  const question = { rules, knownDecimals: null, floor: 0n, outvoted: null };
  const asked = await askNodes(ports, question);
  if ("reason" in asked) return asked;
  const acceptance = accept(NO_HISTORY, asked.agreement, rules, atMs);
  return "good" in acceptance ? acceptance.good.value : acceptance;
}

/** Chain at the point at which it is read. */
type ChainPoint = Pick<ChainAt, "chain" | "node"> & { readonly point: Pick<Point, "atMs"> };

/** Reading of all chains of the token, with its contradictions to the schedule. */
export interface ComparedReading {
  readonly reading: Reading;
  /**
   * Amounts with {@link amountDecimals} decimals. A wallet that could not be read counts as 0 here; there are then
   * contradictions.
   */
  readonly amounts: Readonly<Record<"minted" | "burned" | "total" | "held" | "circulating", bigint>>;
  /** Contradictions, one line each; none when every wallet was read and everything adds up. */
  readonly contradictions: readonly string[];
  /** Departures of the chain from the plan, one line each. They are true and must be published. */
  readonly departures: readonly string[];
  /**
   * Differences between our circulating figure and what a contract states, and share prices that cannot be read, one line
   * each. No figure depends on them.
   */
  readonly differences: readonly string[];
}

/** Problems that do not say that an amount is wrong. */
const HARMLESS: Readonly<Record<"departures" | "differences", readonly ProblemCode[]>> = {
  departures: ["circulating_above_plan", "locked_below_schedule"],
  differences: ["circulating_view_differs", "circulating_view_unreadable", "share_price_unreadable"],
};

/** Reads the total and all wallets of a token, each chain at its own version; refuses when there is no reading. */
export async function readChains(chains: readonly ChainAt[], schedule: Schedule): Promise<ComparedReading> {
  const reading = await readingOfChains(chains, schedule);
  if ("reason" in reading) throw new Refusal([`--node: ${reading.reason}`]);
  return chainReadingOf(schedule, reading);
}

/** Longest time between the points of several chains: a transfer between them would count twice. */
const MAX_APART_MS = 600_000;

/**
 * Reads a token on several chains, the first chain first. The result is as old as its oldest part. Returns the reason
 * when there is no reading.
 */
export async function readingOfChains(
  chains: readonly ChainPoint[],
  schedule: Schedule,
): Promise<Reading | { readonly reason: string }> {
  const [first] = chains;
  if (first !== undefined && chains.length === 1)
    return readingAt(first.node, onlyChainRules(schedule, first.chain, ACCEPT_AS_READ), first.point.atMs);
  const points = chains.map(({ point }) => point.atMs);
  const oldestMs = Math.min(...points);
  const ahead = chains.find(({ point }) => point.atMs - oldestMs > MAX_APART_MS);
  if (ahead !== undefined)
    return { reason: `${ahead.chain.id}: its version is more than ten minutes newer than another chain's` };
  const states: RoundResult[] = [];
  const read = await Promise.all(
    chains.map(async ({ chain, node, point }) => {
      const rules = chainRules(schedule, chain, ACCEPT_AS_READ);
      return { id: chain.id, point, value: await readingAt(node, { ...rules, isTrusted: true }, point.atMs) };
    }),
  );
  for (const { id, point, value } of read) {
    if ("reason" in value) return { reason: `${id}: ${value.reason}` };
    states.push({ id, good: { kind: "observed", value, observedAtMs: point.atMs }, failure: null });
  }
  const combined = combineChains(schedule, states, null, ACCEPT_AS_READ.supplyStepPercent, oldestMs);
  if (combined === null) return { reason: "the first chain has no reading" };
  const reason = violatedTokenInvariant(schedule, ACCEPT_AS_READ.aboveMaxPercent, combined.value);
  return reason === null ? combined.value : { reason };
}

function chainReadingOf(schedule: Schedule, reading: Reading): ComparedReading {
  const found = figureProblems(schedule, reading.readAtMs, reading, basisPoints(PLAN_TOLERANCE_PERCENT));
  const unread = reading.wallets.flatMap((state) =>
    state.anomaly === null ? [] : [`${state.address}: ${anomalyText(state, amountDecimals(reading))}`],
  );
  const linesOf = (isListed: (code: ProblemCode) => boolean): string[] =>
    found.filter(({ code }) => isListed(code)).map(({ code, message }) => `${code}: ${message}`);
  const harmless = Object.values(HARMLESS).flat();
  const wrong = linesOf((code) => !harmless.includes(code));
  return {
    reading,
    amounts: amountsIn(schedule, reading),
    contradictions: wrong.length === 0 ? [] : [...new Set([...unread, ...wrong])],
    departures: linesOf((code) => HARMLESS.departures.includes(code)),
    differences: linesOf((code) => HARMLESS.differences.includes(code)),
  };
}

/** Adds up a reading's amounts in its own units; a wallet that could not be read counts as 0. */
export function amountsIn(schedule: Schedule, reading: Reading): ComparedReading["amounts"] {
  const { minted, wallets, readAtMs, extraDecimals } = reading;
  const sumIn = (isIn: (wallet: Wallet) => boolean) =>
    sumOfBalances(
      walletsOf(schedule)
        .filter(isIn)
        .flatMap((wallet) => stateOf(wallet, wallets) ?? []),
    );
  const constants = constantSums(schedule, readAtMs, extraDecimals);
  const burned = sumIn(isBurnedForGood(schedule)) + constants.burned;
  const held = sumIn((wallet) => !isBurnedForGood(schedule)(wallet)) + constants.held;
  const total = minted - burned;
  return { minted, burned, total, held, circulating: total - held };
}
