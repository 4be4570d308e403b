import { parseStored, storedText } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import type { LastGood, RequestTime } from "../swr/loader.ts";
import { type AlertState, alertDecision, type Notice } from "./alert.ts";
import type { Health } from "./report.ts";

/** Posts a notice; true: the receiver accepted it. Never rejects. */
export type PostNotice = (notice: Notice) => Promise<boolean>;

export interface WatchPorts {
  readonly health: (when: RequestTime) => Promise<Health>;
  readonly lastGood: LastGood;
  /** null: no receiver is configured. */
  readonly post: PostNotice | null;
  /** Records a change of health. Repeating the call changes nothing. Never rejects. */
  readonly recordChange: (notice: Notice) => Promise<unknown>;
  readonly buildRevision: string;
  readonly log: Log;
}

/** Name of the stored state. Its number is raised when the state's form changes. */
const STATE_KEY = "health-2";

/**
 * Evaluates health, logs every problem, records each change of health and posts it once. A notice is stored before it
 * is posted, so that after a crash the next check repeats it with the same id.
 */
export function watch({ health, lastGood, post, recordChange, buildRevision, log }: WatchPorts) {
  // State in memory, for when the store cannot be read, or has an older state because a write failed.
  let lastState: { readonly state: AlertState; readonly atMs: number } | undefined;
  const save = async (state: AlertState, nowMs: number): Promise<void> => {
    lastState = { state, atMs: nowMs };
    await lastGood.put(STATE_KEY, storedText(state), nowMs);
  };
  return async (when: RequestTime): Promise<Health> => {
    const { nowMs } = when;
    const current = await health(when);
    for (const problem of current.problems) log("health_problem", { ...problem });
    const stored = await lastGood.get(STATE_KEY);
    const isNewest = stored && stored.storedAtMs >= (lastState?.atMs ?? 0);
    const before = (isNewest ? parseStored<AlertState>(stored.value) : undefined) ?? lastState?.state;
    const { state, notice, isNew, isDue } = alertDecision(before, current, buildRevision);
    // Skips the write when nothing has changed, as in most hours: it is the most expensive part of the check.
    if (storedText(state) === stored?.value) lastState = { state, atMs: nowMs };
    else await save(state, nowMs);
    log("health", { status: current.status, problems: current.problems.length, changed: isDue });
    if (isNew || isDue) await recordChange(notice);
    if (!isDue) return current;
    if (post === null || (await post(notice))) await save({ ...state, reported: state.condition }, nowMs);
    else log("alert_not_delivered", { id: notice.id, status: notice.status });
    return current;
  };
}
