import { fnv1aHex } from "../base/hash/fnv1a.ts";
import { type Health, reasonOf } from "./report.ts";

/** The condition now, and the one that was last reported. */
export interface AlertState {
  /** Status and problem codes without their changing numbers: equal conditions are the same health. */
  readonly condition: string;
  readonly sinceMs: number;
  /** The condition last delivered to the receiver; differs from `condition` while a notice is undelivered. */
  readonly reported: string;
}

/** One change of health, as it is posted. Chat webhooks display `text`; a retry has the same `id`. */
export interface Notice {
  readonly id: string;
  readonly text: string;
  readonly status: Health["status"];
  readonly previous_status: string;
  readonly reason: string;
  readonly problems: Health["problems"];
  readonly changed_at: string;
  readonly build_revision: string;
}

/** What is to be done about the present condition. */
export interface AlertStep {
  readonly state: AlertState;
  readonly notice: Notice;
  /** The condition is another one than at the last check. */
  readonly isNew: boolean;
  /** It is another one than was last delivered (initially `ok`): a problem that resolves before delivery is not posted. */
  readonly isDue: boolean;
}

/** Compares the condition with the one at the last check and the one last delivered. */
export function alertStep(before: AlertState | undefined, health: Health, buildRevision: string): AlertStep {
  const condition = conditionOf(health);
  const { reported, sinceMs: beforeMs } = before ?? { reported: GOOD, sinceMs: health.nowMs };
  const isNew = (before?.condition ?? GOOD) !== condition;
  const sinceMs = isNew ? health.nowMs : beforeMs;
  const previous = reported.split(" ", 1)[0] ?? GOOD;
  const reason = reasonOf(health);
  const notice: Notice = {
    id: fnv1aHex(`${reported} ${condition} ${sinceMs}`),
    text: `${previous} -> ${health.status}: ${reason}`,
    status: health.status,
    previous_status: previous,
    reason,
    problems: health.problems,
    changed_at: new Date(sinceMs).toISOString(),
    build_revision: buildRevision,
  };
  return { state: { condition, sinceMs, reported }, notice, isNew, isDue: condition !== reported };
}

const GOOD = "ok";

function conditionOf({ status, problems }: Health): string {
  return [status, ...problems.map(({ code, subject }) => `${code}:${subject}`).sort()].join(" ");
}
