import { parseStored, storedText } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import type { LastGood, RequestTime } from "../swr/loader.ts";
import { type AlertState, alertStep, type Notice } from "./alert.ts";
import type { Health } from "./report.ts";

/** Posts one notice; true when the receiver accepted it. Never rejects. */
export type PostNotice = (notice: Notice) => Promise<boolean>;

export interface WatchPorts {
  readonly health: (when: RequestTime) => Promise<Health>;
  readonly lastGood: LastGood;
  /** null: no receiver is configured. */
  readonly post: PostNotice | null;
  /** Records one change of health; repeating it changes nothing. Never rejects. */
  readonly recordChange: (notice: Notice) => Promise<unknown>;
  readonly buildRevision: string;
  readonly log: Log;
}

/** Another number for another form of the state. */
const KEY = "health-2";

/**
 * Evaluates health, logs every problem, records each change of health and posts each once. A notice is stored before it
 * is posted, so that after a crash the next check repeats it under the same id.
 */
export function watch({ health, lastGood, post, recordChange, buildRevision, log }: WatchPorts) {
  // Counts where the store cannot be read, or has an older state because it could not be written.
  let remembered: { readonly state: AlertState; readonly atMs: number } | undefined;
  const save = async (state: AlertState, nowMs: number): Promise<void> => {
    remembered = { state, atMs: nowMs };
    await lastGood.put(KEY, storedText(state), nowMs);
  };
  return async (when: RequestTime): Promise<Health> => {
    const { nowMs } = when;
    const found = await health(when);
    for (const problem of found.problems) log("health_problem", { ...problem });
    const stored = await lastGood.get(KEY);
    const isNewest = stored && stored.storedAtMs >= (remembered?.atMs ?? 0);
    const before = (isNewest ? parseStored<AlertState>(stored.value) : undefined) ?? remembered?.state;
    const { state, notice, isNew, isDue } = alertStep(before, found, buildRevision);
    // In most hours nothing has changed: a write is the dearest part of the check.
    if (storedText(state) === stored?.value) remembered = { state, atMs: nowMs };
    else await save(state, nowMs);
    log("health", { status: found.status, problems: found.problems.length, changed: isDue });
    if (isNew || isDue) await recordChange(notice);
    if (!isDue) return found;
    if (post === null || (await post(notice))) await save({ ...state, reported: state.condition }, nowMs);
    else log("alert_not_delivered", { id: notice.id, status: notice.status });
    return found;
  };
}
