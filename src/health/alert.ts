import { fnv1aHex } from "../base/hash/fnv1a.ts";
import { type PublishedProblem, publishedProblem } from "../problems.ts";
import { type Health, reasonOf } from "./report.ts";

/** The condition at the last check, and the condition last delivered. */
export interface AlertState {
  /** Status and problem codes without the numbers that change: equal conditions are the same health. */
  readonly condition: string;
  readonly sinceMs: number;
  /** The condition last delivered to the receiver. Differs from `condition` while a notice is undelivered. */
  readonly reported: string;
}

/** A change of health, as it is posted. Chat webhooks display `text`; a retry has the same `id`. */
export interface Notice {
  readonly id: string;
  readonly text: string;
  readonly status: Health["status"];
  readonly previous_status: string;
  readonly reason: string;
  readonly problems: readonly PublishedProblem[];
  readonly changed_at: string;
  readonly build_revision: string;
}

/** Decision about the present condition. */
export interface AlertDecision {
  readonly state: AlertState;
  readonly notice: Notice;
  /** Whether the condition differs from that at the last check. */
  readonly isNew: boolean;
  /**
   * Whether the condition differs from the one last delivered, initially `ok`. A problem that resolves before its
   * delivery is not posted.
   */
  readonly isDue: boolean;
}

/** Compares the condition with those at the last check and last delivered. */
export function alertDecision(
  previousState: AlertState | undefined,
  health: Health,
  buildRevision: string,
): AlertDecision {
  const condition = conditionOf(health);
  const { reported, sinceMs: beforeMs } = previousState ?? { reported: GOOD, sinceMs: health.nowMs };
  const isNew = (previousState?.condition ?? GOOD) !== condition;
  const sinceMs = isNew ? health.nowMs : beforeMs;
  const previousStatus = reported.split(" ", 1)[0] ?? GOOD;
  const reason = reasonOf(health);
  const problems = health.problems.map(publishedProblem);
  // Facts come first, because a receiver's limit cuts the end.
  const remedies = [...new Set(problems.map(({ remedy }) => remedy))].join(" ");
  const notice: Notice = {
    id: fnv1aHex(`${reported} ${condition} ${sinceMs}`),
    text: `${previousStatus} -> ${health.status}: ${problems.length === 0 ? reason : `${reason} Remedy: ${remedies}`}`,
    status: health.status,
    previous_status: previousStatus,
    reason,
    problems,
    changed_at: new Date(sinceMs).toISOString(),
    build_revision: buildRevision,
  };
  return { state: { condition, sinceMs, reported }, notice, isNew, isDue: condition !== reported };
}

const GOOD = "ok";

function conditionOf({ status, problems }: Health): string {
  return [status, ...problems.map(({ code, subject }) => `${code}:${subject}`).sort()].join(" ");
}
