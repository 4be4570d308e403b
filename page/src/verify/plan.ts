import { chains } from "virtual:site";
import { instantText } from "../../../src/base/utc.ts";
import type { FirstChainSettings } from "../../../src/families/token-chain.ts";
import { stepAt } from "../../../src/supply/circulating.ts";
import type { ScheduleFile } from "../../../src/supply/file/schedule-file.ts";
import { scheduleOfFile } from "../../../src/supply/file/schedule-of-file.ts";
import { hasUnlocks, type Schedule } from "../../../src/supply/schedule.ts";
import { dayOf } from "../../view/format.ts";
import type { UnlockSchedule } from "../documents.ts";

/** Returns this deployment's settings of the first chain. */
function settingsOfSite(): FirstChainSettings {
  const [{ family, chainId }] = chains;
  return { family, chainId: chainId ?? undefined };
}

/** Parses the text of the published file; throws if it is no schedule. */
export function scheduleOf(text: string): Schedule {
  const result = scheduleOfFile(JSON.parse(text) as ScheduleFile, settingsOfSite()); // published only if its schema has no errors
  if (result.kind === "errors") throw new TypeError(result.errors[0].message);
  return result.schedule;
}

/** Figures that the published file yields, and those that this service answers. */
export interface PlanCheck {
  /** Hash of the file as it was received; null: this page has no hash function, because it is not served over HTTPS. */
  readonly hash: string | null;
  readonly publishedHash: string | null;
  readonly computed: bigint | null;
  readonly answered: bigint | null;
  /** Instant of the first step whose figures differ, or {@link THE_END}; null: all are equal. */
  readonly differsAt: string | null;
  readonly steps: number;
}

/** Place of a difference where this service answers fewer steps than the file has. */
const THE_END = "the end";

/** States what differs between the file and this service. */
export function differenceText(differsAt: PlanCheck["differsAt"]): string {
  if (differsAt === null) return "the file is another one than this service names";
  return differsAt === THE_END
    ? "this service’s figures end before those of the file"
    : `the figures differ from ${dayOf(differsAt)} on`;
}

/** Computes every step of the file, and compares each with the API's row of that instant. */
export async function checkPlan(bytes: ArrayBuffer, api: UnlockSchedule, nowMs: number): Promise<PlanCheck> {
  const schedule = scheduleOf(new TextDecoder().decode(bytes));
  if (!hasUnlocks(schedule)) throw new TypeError("the file has no unlock schedule");
  const now = stepAt(schedule, nowMs);
  const answers = new Map(
    api.rows.map(({ effective_from, circulating }) => [effective_from, BigInt(circulating.base_units)]),
  );
  const differs = api.rows.find(({ effective_from, circulating }) => {
    const atMs = Date.parse(effective_from);
    const step = stepAt(schedule, atMs);
    return step?.effectiveFromMs !== atMs || step.circulating !== BigInt(circulating.base_units);
  });
  return {
    hash: await hashOf(bytes),
    publishedHash: api.file?.sha256 ?? null,
    computed: now?.circulating ?? null,
    answered: now === undefined ? null : (answers.get(instantText(now.effectiveFromMs)) ?? null),
    differsAt: differs?.effective_from ?? (api.rows.length === schedule.lastIndex + 1 ? null : THE_END),
    steps: schedule.lastIndex + 1,
  };
}

async function hashOf(bytes: ArrayBuffer): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null;
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
