import { fnv1aHex } from "../hash/fnv1a.ts";
import { isRecord, parseJson } from "../json.ts";
import { type Health, reasonOf } from "./report.ts";

/** What was last told, and what is still to be told. */
export interface AlertState {
  /** Status and problems without their changing numbers: two equal conditions are the same health. */
  readonly condition: string;
  readonly status: Health["status"];
  readonly sinceMs: number;
  /** The condition that the receiver knows of; differs from `condition` while a notice could not be delivered. */
  readonly reported: string;
  readonly reportedStatus: Health["status"];
}

/** One change of health, as it is posted. `text` is what chat webhooks show; `id` is the same when it is sent again. */
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
  /** null: nothing has changed since the receiver was last told. */
  readonly notice: Notice | null;
}

/**
 * Edge-triggered: a notice exactly while the present condition is not the one that was told. Before anything was
 * told, health is taken to be good. A trouble that went before it could be told is not told.
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
  const { reported: told, reportedStatus: toldStatus } = known;
  const state: AlertState = { condition, status: health.status, sinceMs, reported: told, reportedStatus: toldStatus };
  if (condition === told) return { state, notice: null };
  const reason = reasonOf(health);
  const notice: Notice = {
    id: fnv1aHex(`${told} ${condition} ${sinceMs}`),
    text: `${toldStatus} -> ${health.status}: ${reason}`,
    status: health.status,
    previous_status: toldStatus,
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

const STATUSES: readonly Health["status"][] = ["ok", "not_started", "degraded", "failing"];

/** The state as the store keeps it; undefined for anything else. */
export function readAlertState(stored: string): AlertState | undefined {
  const parsed = parseJson(stored);
  if (!isRecord(parsed)) return undefined;
  const { condition, sinceMs, told } = parsed;
  const status = STATUSES.find((each) => each === parsed["status"]);
  const toldStatus = STATUSES.find((each) => each === parsed["toldStatus"]);
  if (typeof condition !== "string" || typeof told !== "string" || typeof sinceMs !== "number") return undefined;
  return status === undefined || toldStatus === undefined
    ? undefined
    : { condition, status, sinceMs, reported: told, reportedStatus: toldStatus };
}
