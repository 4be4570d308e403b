import type { Log } from "../base/log.ts";
import type { RequestTime } from "../swr/loader.ts";

/** A part of the scheduled check. It may fail or hang. */
export interface CheckPart {
  readonly name: string;
  readonly run: (when: RequestTime) => Promise<unknown>;
}

export interface CheckPorts {
  /** Stages of the check. The parts of a stage run at once; a stage starts after the previous one. */
  readonly stages: readonly (readonly CheckPart[])[];
  /** Tells a monitor that every part succeeded; true: the monitor received it. null: no monitor is configured. */
  readonly heartbeat: (() => Promise<boolean>) | null;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly log: Log;
}

/**
 * Deadline of a part. Longer than an upstream's deadline; two stages of it stay far below the platform's 15 minutes.
 */
const PART_DEADLINE_MS = 30_000;

/**
 * Returns the scheduled check. A part that fails or exceeds its deadline is logged and stops no other part. Never
 * rejects.
 */
export function scheduledCheck({ stages, heartbeat, pause, log }: CheckPorts): (when: RequestTime) => Promise<void> {
  const succeeds = async ({ name, run }: CheckPart, when: RequestTime): Promise<boolean> => {
    const deadline = pause(PART_DEADLINE_MS).then(() => "deadline");
    const runPart = async () => run(when);
    const cause = await Promise.race([runPart().then(() => null, String), deadline]);
    if (cause !== null) log("check_failed", { part: name, cause });
    return cause === null;
  };
  return async (when) => {
    const results: boolean[] = [];
    for (const parts of stages) results.push(...(await Promise.all(parts.map((part) => succeeds(part, when)))));
    if (heartbeat === null || results.includes(false)) return;
    if (!(await heartbeat().catch(() => false))) log("heartbeat_not_delivered", {});
  };
}
