import type { FileError } from "../../src/base/file/file-errors.ts";
import { dayText } from "../../src/base/utc.ts";
import { tokenText } from "../../src/chain/amount.ts";
import { chainsOf, type FirstChainSettings } from "../../src/families/token-chain.ts";
import { hasUnwatchedLocks, lockedInBucket, unwatchedBuckets } from "../../src/supply/above-plan.ts";
import { allSteps, stepAt } from "../../src/supply/circulating.ts";
import {
  type Bucket,
  bucketsOf,
  hasUnlocks,
  type Phase,
  type Schedule,
  type UnlockSchedule,
} from "../../src/supply/schedule.ts";
import { isOnChain, walletsOf } from "../../src/supply/wallets.ts";
import { firstInFile } from "../first-chain.ts";
import { callsOfReading, FREE_PLAN } from "../free-plan.ts";

const MAX_SYMBOL_CHARACTERS = 20;

/** Valid settings that are probably mistakes. */
export function scheduleWarnings(schedule: Schedule, nowMs: number, first = firstInFile()): FileError[] {
  const { publishedAt, token } = schedule;
  const warnings: FileError[] = [];
  if (publishedAt > dayText(nowMs)) warnings.push({ path: "published_at", message: `${publishedAt} is in the future` });
  warnings.push(...placeholderSources(schedule));
  if (hasUnlocks(schedule)) warnings.push(...zeroWarnings(schedule, nowMs));
  if (token.symbol.length > MAX_SYMBOL_CHARACTERS)
    warnings.push({ path: "token.symbol", message: `has ${token.symbol.length} characters` });
  const ofPlan = hasUnlocks(schedule) ? [...phaseWarnings(schedule), ...unlistedWarnings(schedule, nowMs)] : [];
  return [...warnings, ...ofPlan, ...walletWarnings(schedule, first)];
}

function phaseWarnings(schedule: UnlockSchedule): FileError[] {
  return bucketsOf(schedule).flatMap(({ phases }, index) =>
    phases.flatMap((phase, at): FileError[] => {
      const path = `buckets[${index}].phases[${at}]`;
      const overlapping = phases.findIndex((other, before) => before < at && overlaps(phase, other));
      return [
        ...(phase.kind === "linear" && phase.fromMs < schedule.calendar.startMs
          ? [{ path: `${path}.from`, message: `${dayText(phase.fromMs)} is before the start` }]
          : []),
        ...(overlapping === -1 ? [] : [{ path, message: `overlaps phases[${overlapping}]` }]),
      ];
    }),
  );
}

/** Warns of figures that are 0: they are correct, but trackers take 0 for an outage. */
function zeroWarnings(schedule: UnlockSchedule, nowMs: number): FileError[] {
  const oneToken = 10n ** BigInt(schedule.token.decimals);
  const first = allSteps(schedule).find(({ circulating }) => circulating >= oneToken);
  if (first?.index === 0 || (first !== undefined && first.effectiveFromMs <= nowMs)) return [];
  const until = first === undefined ? "for good" : `until ${dayText(first.effectiveFromMs)}`;
  return [{ path: "start", message: `0 is served ${until}: do not give trackers an address before then` }];
}

const INSIDERS: readonly string[] = ["team", "investors", "foundation", "treasury"];

/** Warns of allocations without a listed wallet: their tokens cannot be verified. */
function unlistedWarnings(schedule: UnlockSchedule, nowMs: number): FileError[] {
  const { wallets, token, calendar } = schedule;
  const buckets = bucketsOf(schedule);
  const unlocked = new Map(stepAt(schedule, nowMs)?.buckets.map(({ id, circulating }) => [id, circulating]));
  const insiders = buckets.filter(({ id, category }) => INSIDERS.includes(category) && (unlocked.get(id) ?? 0n) > 0n);
  const sum = insiders.reduce((all, { id }) => all + (unlocked.get(id) ?? 0n), 0n);
  const unlisted = `${insiders.map(({ id }) => id).join(", ")} have unlocked ${tokenText(sum, token.decimals)} and no wallets are listed: trackers will not count all of it as circulating`;
  return [
    ...unwatchedWarnings(schedule, Math.max(nowMs, calendar.startMs)),
    ...twiceSubtracted(schedule, Math.max(nowMs, calendar.startMs)),
    ...(wallets.length === 0 && insiders.length > 0 ? [{ path: "wallets", message: unlisted }] : []),
  ];
}

/** Warns of wallets that make the circulating supply on chain wrong or unavailable. */
function walletWarnings(schedule: Schedule, first: FirstChainSettings): FileError[] {
  const foreign = walletsOf(schedule).filter((wallet) => !isOnChain(schedule)(wallet));
  const calls = callsOfReading(schedule, chainsOf(schedule, first));
  const tooMany = `need ${calls} node calls per reading, with the supply; the platform's free plan allows ${FREE_PLAN.calls}: deploy with PLAN = "paid", or with NODE_URLS = "none"`;
  return [
    ...(calls > FREE_PLAN.calls ? [{ path: "wallets", message: tooMany }] : []),
    ...foreign.map(({ address, chain }) => ({
      path: "wallets",
      message: `${address} is on ${chain}, so /api/circulating-supply-on-chain is not served: list its chain in chains, or remove the wallet`,
    })),
  ];
}

/** Returns the allocations with locked tokens that list no wallet. */
function unwatchedLocks(schedule: Schedule, atMs: number): readonly Bucket[] {
  return unwatchedBuckets(schedule).filter((bucket) => lockedInBucket(bucket, schedule, atMs) > 0n);
}

/**
 * Warns of wallets outside the allocations that are of the category of an allocation without a wallet: the figure by
 * chain and schedule subtracts what both have locked.
 */
function twiceSubtracted(schedule: UnlockSchedule, atMs: number): FileError[] {
  if (!hasUnwatchedLocks(schedule)) return [];
  const unwatched = unwatchedLocks(schedule, atMs);
  return schedule.wallets.flatMap(({ address, category }, index): FileError[] => {
    const { id } = unwatched.find((each) => each.category === category) ?? {};
    if (id === undefined) return [];
    const message = `${address} is of the category of ${id}, which has locked tokens and lists no wallet: if it holds these, /api/circulating-supply-hybrid subtracts them twice; then list it in the addresses of ${id}`;
    return [{ path: `wallets[${index}]`, message }];
  });
}

/** Warns of allocations with locked tokens and no wallet to watch. */
function unwatchedWarnings(schedule: Schedule, atMs: number): FileError[] {
  const unwatched = unwatchedLocks(schedule, atMs);
  if (unwatched.length === 0) return [];
  const [have, list] = unwatched.length === 1 ? ["has", "lists"] : ["have", "list"];
  const names = unwatched.map(({ id }) => id).join(", ");
  const message = `${names} ${have} locked tokens and ${list} no wallet: nobody can check that these do not circulate early; list every wallet of an allocation in its addresses`;
  return [{ path: "buckets", message }];
}

/** Errors for placeholder sources, which `new` writes when it is given none. They may be tried, but not published. */
export function placeholderSources({ sources }: Schedule): FileError[] {
  return sources.flatMap(({ url }, index) =>
    /(^|\.)example\.(org|com|net)$/.test(new URL(url).hostname)
      ? [
          {
            path: `sources[${index}].url`,
            message: `${url} is a placeholder: name the page that publishes the schedule`,
          },
        ]
      : [],
  );
}

/** Whether two rules of one kind unlock at the same time, which is usually a duplicate. */
function overlaps(one: Phase, other: Phase): boolean {
  if (one.kind === "monthly" && other.kind === "monthly")
    return one.firstMonth <= lastOf(other) && other.firstMonth <= lastOf(one);
  if (one.kind === "linear" && other.kind === "linear") return one.fromMs < other.toMs && other.fromMs < one.toMs;
  return false;
}

function lastOf({ firstMonth, count, everyMonths }: Extract<Phase, { kind: "monthly" }>): number {
  return firstMonth + (count - 1) * everyMonths;
}
