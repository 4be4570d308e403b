import type { BaseUnits } from "../chain/amount.ts";

/**
 * Decision about one amount. `confirmed` and `accepted` amounts are served; only a confirmed one becomes the reference
 * of later readings. `accepted_if_repeated`: a later reading must repeat the amount, which is then confirmed. `waits`:
 * another node must report the amount.
 */
export type AmountDecision = "confirmed" | "accepted" | "accepted_if_repeated" | "waits";

/**
 * Decisions about an amount that only one node reports, by the number of configured nodes and by the distance from the
 * confirmed amount. `first`: no amount was confirmed yet; `near`: within a step; `far`: beyond it.
 */
export const LONE_REPORT: Readonly<
  Record<"one" | "several", Readonly<Record<"first" | "near" | "far", AmountDecision>>>
> = {
  one: { first: "confirmed", near: "accepted", far: "accepted_if_repeated" },
  several: { first: "waits", near: "accepted", far: "waits" },
};

export function distance(one: BaseUnits, other: BaseUnits): BaseUnits {
  return one < other ? other - one : one - other;
}
