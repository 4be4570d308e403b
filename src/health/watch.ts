import type { Log } from "../log.ts";
import type { LastGood, RequestTime } from "../swr/swr-value.ts";
import { type AlertState, alertStep, delivered, type Notice, readAlertState } from "./alert.ts";
import type { Health } from "./report.ts";

/** Posts one notice; true when the receiver took it. Never rejects. */
export type PostNotice = (notice: Notice) => Promise<boolean>;

export interface WatchPorts {
  /** Asks every upstream anew and keeps what it says. */
  readonly renew: (when: RequestTime) => Promise<unknown>;
  readonly health: (when: RequestTime) => Promise<Health>;
  readonly lastGood: LastGood;
  /** null: nobody is to be told. */
  readonly post: PostNotice | null;
  /** Records one change of health, once or more often. Never rejects. */
  readonly recordChange: (notice: Notice) => Promise<unknown>;
  readonly buildRevision: string;
  readonly log: Log;
}

const KEY = "health";

/**
 * The scheduled check: renews what is kept, judges, logs every problem, and tells each change of health once. What is
 * to be told is stored before it is posted, so that a check that dies in between tells it again under the same id.
 */
export function watch({ renew, health, lastGood, post, recordChange, buildRevision, log }: WatchPorts) {
  // Stands in for the store while that cannot be read, so that one isolate never tells a change twice.
  let remembered: AlertState | undefined;
  const save = async (state: AlertState, nowMs: number): Promise<void> => {
    remembered = state;
    await lastGood.put(KEY, JSON.stringify(state), nowMs);
  };
  return async (when: RequestTime): Promise<Health> => {
    const { nowMs } = when;
    await renew(when);
    const found = await health(when);
    for (const problem of found.problems) log("health_problem", { ...problem });
    const stored = await lastGood.get(KEY);
    const before = (stored === null ? undefined : readAlertState(stored.value)) ?? remembered;
    const { state, notice } = alertStep(before, found, buildRevision);
    await save(state, nowMs);
    log("health", { status: found.status, problems: found.problems.length, changed: notice !== null });
    if (notice === null) return found;
    await recordChange(notice);
    if (post === null || (await post(notice))) await save(delivered(state), nowMs);
    else log("alert_not_delivered", { id: notice.id, status: notice.status });
    return found;
  };
}
