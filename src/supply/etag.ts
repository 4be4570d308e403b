import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { CURRENT_VERSION } from "../http/api-version.ts";
import { dayText } from "./calendar.ts";
import type { SupplyStep } from "./circulating.ts";
import type { Lifetime } from "./reply-cache.ts";
import type { Schedule } from "./schedule.ts";

/** The tag of an answer in one form; undefined where the response does not depend on it. */
export type EntityTags = (step: SupplyStep | undefined, form: string) => string;

/** A strong tag: schedule content, API version, step, form. Whatever can change the body changes one of them. */
export function entityTags(schedule: Schedule): EntityTags {
  const hash = digest(
    JSON.stringify(schedule, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value)),
  );
  return (step, form) => {
    const from = step === undefined ? "all" : dayText(step.effectiveFromMs);
    return `"${hash}-v${CURRENT_VERSION}-${from}-${form}"`;
  };
}

/** 64 bits of SHA-256: enough to tell two texts apart by accident; nothing is secured by it. */
export function digest(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)).subarray(0, 8));
}

/** `Last-Modified` is the step; of a step still to come there is none (RFC 9110 section 8.8.2.1). */
export function stepHeaders(step: SupplyStep, lifetime: Lifetime, nowMs: number): Record<string, string> {
  const headers: Record<string, string> = { "Cache-Control": lifetime.cacheControl };
  if (step.effectiveFromMs <= nowMs) headers["Last-Modified"] = new Date(step.effectiveFromMs).toUTCString();
  return headers;
}
