import { FIGURES } from "../../src/figures.ts";
import { isNotOffered, type ProbePorts, requestOnce, type Target } from "../doctor/probe.ts";

/** Bare figures by path. null: the version does not serve the path; absent: it has no figure at the moment. */
export type Figures = ReadonlyMap<string, string | null>;

const NUMBER = /^\d+(\.\d+)?$/;
const MAX = "/api/max-supply";

/** Path that tells the kind of the schedule file: wallets alone do not have it. */
const KIND = "/api/unlock-schedule";

/** Requests every bare figure of a version, and the path that tells the kind of its schedule file. */
export async function figuresAt(target: Target, ports: ProbePorts): Promise<Figures> {
  const found = new Map<string, string | null>();
  for (const { path } of FIGURES) {
    if (path === null) continue;
    const answer = await requestOnce(target, `${path}?decimals=exact&format=plain`, {}, ports).catch(() => null);
    if (answer !== null && isNotOffered(answer)) found.set(path, null);
    else if (answer?.status === 200 && NUMBER.test(answer.body)) found.set(path, answer.body);
  }
  const schedule = await requestOnce(target, KIND, {}, ports).catch(() => null);
  if (schedule !== null && isNotOffered(schedule)) found.set(KIND, null);
  else if (schedule?.status === 200) found.set(KIND, "served");
  return found;
}

/** What is found out about the kind of the schedule file, and what the operator can do. */
export interface KindChange {
  readonly what: string;
  readonly remedy: string;
}

/** Finds the change of the schedule file's kind, or that it cannot be seen; null when the kind stays. */
export function kindChange(live: Figures, next: Figures): KindChange | null {
  const [now, then] = [live.get(KIND), next.get(KIND)];
  if (now === undefined || then === undefined)
    return {
      what: `${KIND} of the ${now === undefined ? "live" : "new"} version did not answer, so it is not known whether the kind stays`,
      remedy: "deploy again when it answers, or without that knowledge with --change-kind",
    };
  if ((now === null) === (then === null)) return null;
  const what =
    then === null
      ? "the kind of the schedule file changes: the live version has an unlock schedule, and the new one wallets alone: its figures come from the chain"
      : "the kind of the schedule file changes: the live version has wallets alone, and the new one an unlock schedule: its circulating supply is the plan's";
  return { what, remedy: "if that is intended, deploy with --change-kind" };
}

/** Lists the figures that the new version would change by more than `percent`, or no longer serve. */
export function changesBeyond(live: Figures, next: Figures, percent: number): readonly string[] {
  return [...live].flatMap(([path, now]) => {
    const then = next.get(path);
    if (path === KIND || now === null || then === undefined || !isBeyond(now, then, percent, live.get(MAX) ?? null))
      return [];
    return [`${path} is ${now} and would be ${then === null ? "404" : `${then}${shareText(now, then)}`}`];
  });
}

/** Whether a change is larger than `percent` of the live figure, or of the maximum where that figure is 0. */
function isBeyond(now: string, then: string | null, percent: number, max: string | null): boolean {
  if (then === null) return true;
  const [from, to] = [units(now), units(then)];
  const change = to > from ? to - from : from - to;
  return change * 100n > BigInt(percent) * (from === 0n ? units(max ?? "0") : from);
}

function shareText(now: string, then: string): string {
  const percent = (100 * (Number(then) - Number(now))) / Number(now);
  return Number.isFinite(percent) ? ` (${percent > 0 ? "+" : ""}${percent.toFixed(1)} %)` : "";
}

const FINEST = 36;

function units(text: string): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(FINEST, "0"));
}
