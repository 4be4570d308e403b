import { fnv1aHex } from "../hash/fnv1a.ts";
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

/**
 * Edge-triggered: a notice while the condition differs from the last one delivered (initially `ok`). A problem that
 * resolves before delivery is not reported. No notice: nothing has changed since the last delivered one.
 */
export function alertStep(
  before: AlertState | undefined,
  health: Health,
  buildRevision: string,
): { readonly state: AlertState; readonly notice: Notice | null } {
  const condition = conditionOf(health);
  const { reported, sinceMs: beforeMs } = before ?? { reported: GOOD, sinceMs: health.nowMs };
  const sinceMs = (before?.condition ?? GOOD) === condition ? beforeMs : health.nowMs;
  const state: AlertState = { condition, sinceMs, reported };
  if (condition === reported) return { state, notice: null };
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
  return { state, notice };
}

const GOOD = "ok";

function conditionOf({ status, problems }: Health): string {
  return [status, ...problems.map(({ code, subject }) => `${code}:${subject}`).sort()].join(" ");
}
