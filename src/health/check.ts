import type { Log } from "../base/log.ts";
import type { RequestTime } from "../swr/loader.ts";

/** One part of the scheduled check. It may fail or hang. */
export interface Part {
  readonly name: string;
  readonly run: (when: RequestTime) => Promise<unknown>;
}

export interface CheckPorts {
  /** Parts of a stage run at once, a stage after the one before. */
  readonly stages: readonly (readonly Part[])[];
  /** Tells a monitor that every part has succeeded; true when it was received. null: none is configured. */
  readonly heartbeat: (() => Promise<boolean>) | null;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly log: Log;
}

/** Longer than an upstream's own deadline; two stages of it are far below the platform's 15 minutes. */
const PART_DEADLINE_MS = 30_000;

/** The scheduled check: a part that fails, or exceeds its deadline, is logged and stops no other. Never rejects. */
export function scheduledCheck({ stages, heartbeat, pause, log }: CheckPorts): (when: RequestTime) => Promise<void> {
  const succeeds = async ({ name, run }: Part, when: RequestTime): Promise<boolean> => {
    const late = pause(PART_DEADLINE_MS).then(() => "deadline");
    const done = async () => run(when);
    const cause = await Promise.race([done().then(() => null, String), late]);
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
