import { instantText } from "../../src/base/utc.ts";
import type { Answer } from "./answer.ts";
import { type Cause, causeOf } from "./cause.ts";
import { type Decimal, decimalText, difference, isEqual, parseDecimal, percentApart } from "./decimal.ts";
import type { AddressPair, PollResult, Sample } from "./poll.ts";

/** Differences of one figure with the same cause. */
export interface Difference {
  readonly member: string;
  readonly cause: Cause["code"];
  readonly detail: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
  /** Old figure at the greatest difference. */
  readonly old: string;
  readonly new: string;
  readonly difference: string;
  readonly percent: number;
  readonly beyond_tolerance: boolean;
}

export interface Comparison {
  readonly old: string;
  readonly new: string;
  readonly polls: number;
  readonly equal: number;
  /** Polls in which a side gave no figure. */
  readonly failed: { readonly old: number; readonly new: number; readonly both: number };
  readonly differences: readonly Difference[];
  /** Sentences about shapes that differ, which no tolerance covers. */
  readonly form: readonly string[];
  readonly notes: readonly string[];
}

export interface Report {
  readonly polls: number;
  readonly planned: number;
  readonly interrupted: boolean;
  readonly tolerance_percent: number;
  readonly comparisons: readonly Comparison[];
  /** Whether the sides agree; null: the old side never gave a figure, so nothing is known. */
  readonly is_same: boolean | null;
}

/** Compares the answers of both sides. */
export function reportOf(
  { pairs, wallets, polls, planned, isInterrupted }: PollResult,
  tolerancePercent: number,
): Report {
  const comparisons = pairs.map(({ pair, samples }) => comparisonOf(pair, samples, wallets, tolerancePercent));
  const isKnown = comparisons.every(({ polls: count, failed }) => count > failed.old + failed.both);
  const isWrong = comparisons.some(
    ({ differences, form, failed }) =>
      form.length > 0 || failed.new > 0 || differences.some((each) => each.beyond_tolerance),
  );
  return {
    polls,
    planned,
    interrupted: isInterrupted,
    tolerance_percent: tolerancePercent,
    comparisons,
    is_same: isWrong ? false : isKnown ? true : null,
  };
}

function comparisonOf(
  pair: AddressPair,
  samples: readonly Sample[],
  wallets: PollResult["wallets"],
  tolerancePercent: number,
): Comparison {
  const hasNone = ({ status, figures }: Answer): boolean => status !== 200 || figures.length === 0;
  const both = samples.filter(({ old, new: current }) => hasNone(old) && hasNone(current));
  const oldAlone = samples.filter(({ old, new: current }) => hasNone(old) && !hasNone(current));
  const newAlone = samples.filter(({ old, new: current }) => !hasNone(old) && hasNone(current));
  const usable = samples.filter(({ old, new: current }) => !hasNone(old) && !hasNone(current));
  const members = [...new Set(usable.flatMap(({ old }) => old.figures.map(({ member }) => member)))];
  const reasons = [...oldAlone, ...both].slice(0, 1).map(({ old }) => `the old side answered ${reasonOf(old)}`);
  const failures = [...newAlone, ...both]
    .slice(0, 1)
    .map(({ new: current }) => `the new side answered ${reasonOf(current)}`);
  return {
    ...pair,
    polls: samples.length,
    equal: usable.filter((sample) => members.every((member) => isSame(sample, member))).length,
    failed: { old: oldAlone.length, new: newAlone.length, both: both.length },
    differences: members.flatMap((member) => differencesOf(member, usable, wallets, tolerancePercent)),
    form: [...new Set(usable.flatMap(formDifferences))],
    notes: [...reasons, ...failures, ...new Set(usable.flatMap(typeNote))],
  };
}

function reasonOf({ status, type, body }: Answer): string {
  const what = JSON.stringify(body.slice(0, 80));
  return status === 0 ? `nothing (${body})` : `${status} ${type} ${what}`;
}

function figureIn({ figures }: Answer, member: string): Decimal | undefined {
  const written = figures.find((each) => each.member === member);
  return written && parseDecimal(written.text);
}

function isSame({ old, new: current }: Sample, member: string): boolean {
  const [left, right] = [figureIn(old, member), figureIn(current, member)];
  return left !== undefined && right !== undefined && isEqual(left, right);
}

function differencesOf(
  member: string,
  samples: readonly Sample[],
  wallets: PollResult["wallets"],
  tolerancePercent: number,
): Difference[] {
  const given = (side: "old" | "new") => samples.flatMap((sample) => figureIn(sample[side], member) ?? []);
  const others = { old: given("old"), new: given("new") };
  const found = samples.flatMap(({ atMs, old, new: current }) => {
    const [left, right] = [figureIn(old, member), figureIn(current, member)];
    if (left === undefined || right === undefined || isEqual(left, right)) return [];
    const cause = causeOf(left, right, { wallets, others });
    return [{ atMs, left, right, cause, percent: percentApart(left, right) }];
  });
  return [
    ...Map.groupBy(found, ({ cause }) => `${cause.code} ${cause.code === "unknown" ? "" : cause.detail}`).values(),
  ].flatMap((some): Difference[] => {
    const greatest = some.toSorted((one, other) => other.percent - one.percent)[0];
    const [first, last] = [some[0], some.at(-1)];
    if (greatest === undefined || first === undefined || last === undefined) return [];
    const { left, right, cause, percent } = greatest;
    return [
      {
        member,
        cause: cause.code,
        detail: cause.detail,
        count: some.length,
        first: instantText(first.atMs),
        last: instantText(last.atMs),
        old: decimalText(left),
        new: decimalText(right),
        difference: decimalText(difference(left, right)),
        percent,
        beyond_tolerance: percent > tolerancePercent,
      },
    ];
  });
}

/** Differences of form that would break a client of the old side. */
function formDifferences({ old, new: current }: Sample): string[] {
  const missing = old.figures.filter(({ member }) => current.figures.every((each) => each.member !== member));
  const notations = old.figures.flatMap(({ member, notation }) => {
    const other = current.figures.find((each) => each.member === member)?.notation;
    return other === undefined || other === notation
      ? []
      : [`${placeOf(member)} is a ${notation} on the old side and a ${other} on the new one`];
  });
  return [...missing.map(({ member }) => `${placeOf(member)} has no figure on the new side`), ...notations];
}

function typeNote({ old, new: current }: Sample): string[] {
  return old.type === current.type
    ? []
    : [`the old side says ${old.type || "no type"}, the new one ${current.type || "none"}`];
}

function placeOf(member: string): string {
  return member === "" ? "the body" : member;
}

/** Writes the report for a person. */
export function reportText(report: Report): string {
  const { polls, planned, interrupted, comparisons, tolerance_percent: tolerance, is_same: isSameFigure } = report;
  const head = interrupted ? `interrupted after ${polls} of ${planned} polls` : `${polls} polls`;
  const verdict =
    isSameFigure === null
      ? "not known: the old side gave no figure"
      : isSameFigure
        ? `both sides give the same figures, within ${tolerance} %`
        : `the sides differ by more than ${tolerance} %, or in their form`;
  return [...comparisons.flatMap(comparisonLines), `${head}: ${verdict}`].join("\n");
}

function comparisonLines({ old, new: current, polls, equal, failed, differences, form, notes }: Comparison): string[] {
  const failures = [
    ...(failed.old > 0 ? [`the old side alone failed ${failed.old} times`] : []),
    ...(failed.new > 0 ? [`the new side alone failed ${failed.new} times`] : []),
    ...(failed.both > 0 ? [`both failed ${failed.both} times`] : []),
  ];
  return [
    `${old}\n  ${current}`,
    `  ${equal} of ${polls} equal${failures.length === 0 ? "" : `; ${failures.join(", ")}`}`,
    ...form.map((sentence) => `  FORM ${sentence}`),
    ...differences.map(differenceLine),
    ...notes.map((sentence) => `  note ${sentence}`),
  ];
}

function differenceLine(each: Difference): string {
  const mark = each.beyond_tolerance ? "DIFF" : "ok  ";
  const place = each.member === "" ? "" : `${each.member}: `;
  return `  ${mark} ${place}${each.cause}, ${each.count} times from ${each.first} to ${each.last}: ${each.detail}; at most ${each.old} and ${each.new}, ${each.percent} % apart`;
}
