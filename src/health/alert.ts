import { fnv1aHex } from "../hash/fnv1a.ts";
import { type Health, reasonOf } from "./report.ts";

/** The condition now, and the one that was last reported. */
export interface AlertState {
  /** Status and problem codes without their changing numbers: equal conditions are the same health. */
  readonly condition: string;
  readonly status: Health["status"];
  readonly sinceMs: number;
  /** The condition last delivered to the receiver; differs from `condition` while a notice is undelivered. */
  readonly reported: string;
  readonly reportedStatus: Health["status"];
}

/** One change of health, as it is posted. Chat webhooks display `text`; a retry has the same `id`. */
export interface Notice {
  readonly id: string;
  readonly text: string;
  readonly status: Health["status"];
  readonly previous_status: Health["status"];
  readonly reason: string;
  readonly problems: Health["problems"];
  readonly changed_at: string;
  readonly build_revision: string;
}

export interface AlertStep {
  readonly state: AlertState;
  /** null: nothing has changed since the last delivered notice. */
  readonly notice: Notice | null;
}

/**
 * Edge-triggered: a notice while the condition differs from the last one delivered (initially `ok`). A problem that
 * resolves before delivery is not reported.
 */
export function alertStep(before: AlertState | undefined, health: Health, buildRevision: string): AlertStep {
  const condition = conditionOf(health);
  const known = before ?? {
    condition: GOOD,
    status: "ok",
    sinceMs: health.nowMs,
    reported: GOOD,
    reportedStatus: "ok",
  };
  const sinceMs = known.condition === condition ? known.sinceMs : health.nowMs;
  const { reported, reportedStatus } = known;
  const state: AlertState = { condition, status: health.status, sinceMs, reported, reportedStatus };
  if (condition === reported) return { state, notice: null };
  const reason = reasonOf(health);
  const notice: Notice = {
    id: fnv1aHex(`${reported} ${condition} ${sinceMs}`),
    text: `${reportedStatus} -> ${health.status}: ${reason}`,
    status: health.status,
    previous_status: reportedStatus,
    reason,
    problems: health.problems,
    changed_at: new Date(sinceMs).toISOString(),
    build_revision: buildRevision,
  };
  return { state, notice };
}

export function delivered(state: AlertState): AlertState {
  return { ...state, reported: state.condition, reportedStatus: state.status };
}

const GOOD = "ok";

function conditionOf({ status, problems }: Health): string {
  return [status, ...problems.map(({ code, subject }) => `${code}:${subject}`).sort()].join(" ");
}
