import { type Ledger, later } from "./ledger-headers.ts";

/**
 * The published tip of one region, as a pure state machine.
 *
 * Isolates may trust a tip for a lease of a fraction of a second, so that a hit costs no call. The promise that pays for
 * it: a later version is shown to nobody before every lease on the earlier one has run out. So whoever reads after a
 * commit was seen, through any isolate, asks under a lease that already knows it. Only durations cross between
 * machines, and a holder counts from before it asked: clocks need not agree.
 */
export interface Tip {
  readonly ledger: Ledger | null;
  /** When a node last said that this is the tip, or a later one; 0 when none has since the start. */
  readonly confirmedAtMs: number;
  /** No lease on `ledger` is alive after this. */
  readonly leasedUntilMs: number;
  /** Heard of, and held back until the leases have run out. */
  readonly rising: Ledger | null;
  /** Since when every answer has been behind `ledger`; null while one was not. */
  readonly behindSinceMs: number | null;
}

export interface Lease {
  readonly ledger: Ledger | null;
  /** How long it may be trusted, counted from before the holder asked. */
  readonly milliseconds: number;
  /** False while no node confirms the tip: nothing that depends on it may pass for fresh. */
  readonly confirmed: boolean;
  /** Since a node last confirmed it; null when none has. */
  readonly unconfirmedMs: number | null;
}

export const LEASE_MS = 100;
/** The tip is asked for again when it was last confirmed this long ago; so at most once a second. */
export const ASK_EVERY_MS = 1_000;
/** Beyond this the answer is waited for. */
export const UNCONFIRMED_AFTER_MS = 2_000;
/** A whole chain that stays behind what it showed was reset or restored: after a minute we believe it. */
export const BELIEVE_RESET_AFTER_MS = 60_000;

/** A shield that lost its memory cannot know which leases are out: it waits one lease before it publishes anything. */
export function tipAtStart(remembered: Ledger | null, nowMs: number): Tip {
  return { ledger: remembered, confirmedAtMs: 0, leasedUntilMs: nowMs + LEASE_MS, rising: null, behindSinceMs: null };
}

/** A node reported `ledger`. When it is later than the published one it starts to rise. */
export function heard(tip: Tip, ledger: Ledger, nowMs: number): Tip {
  const published = tip.ledger?.version ?? -1n;
  if (ledger.version < published) return behind(tip, ledger, nowMs);
  const confirmed = { ...tip, confirmedAtMs: nowMs, behindSinceMs: null };
  return ledger.version === published ? confirmed : { ...confirmed, rising: later(tip.rising, ledger) };
}

function behind(tip: Tip, ledger: Ledger, nowMs: number): Tip {
  const since = tip.behindSinceMs ?? nowMs;
  if (nowMs - since < BELIEVE_RESET_AFTER_MS) return { ...tip, behindSinceMs: since };
  return { ledger, confirmedAtMs: nowMs, leasedUntilMs: tip.leasedUntilMs, rising: null, behindSinceMs: null };
}

/** Milliseconds until the rising tip may be published; 0 when now; null when nothing rises. */
export function publishInMs(tip: Tip, nowMs: number): number | null {
  if (tip.rising === null) return null;
  return tip.ledger === null ? 0 : Math.max(0, tip.leasedUntilMs - nowMs);
}

export function published(tip: Tip): Tip {
  return tip.rising === null ? tip : { ...tip, ledger: tip.rising, rising: null };
}

/** A lease on the published tip; undefined while a later one rises, which a new lease on the old one would hold back. */
export function lease(tip: Tip, nowMs: number): { readonly tip: Tip; readonly lease: Lease } | undefined {
  if (tip.rising !== null) return undefined;
  return { tip: { ...tip, leasedUntilMs: nowMs + LEASE_MS }, lease: told(tip, LEASE_MS, nowMs) };
}

/**
 * The published tip for one request that is under way, to be kept for no other. Nobody has been shown a later one when
 * it is given, so it costs a later one that rises no time.
 */
export function glance(tip: Tip, nowMs: number): Lease {
  return told(tip, 0, nowMs);
}

function told(tip: Tip, milliseconds: number, nowMs: number): Lease {
  const unconfirmedMs = tip.confirmedAtMs > 0 ? nowMs - tip.confirmedAtMs : null;
  const confirmed = unconfirmedMs !== null && unconfirmedMs < UNCONFIRMED_AFTER_MS;
  return { ledger: tip.ledger, milliseconds, confirmed, unconfirmedMs };
}

/** `ask`: in the background; `wait`: before anything is answered. */
export function dueToAsk(tip: Tip, nowMs: number): "no" | "ask" | "wait" {
  const age = nowMs - tip.confirmedAtMs;
  if (age < ASK_EVERY_MS) return "no";
  return age < UNCONFIRMED_AFTER_MS && tip.confirmedAtMs > 0 ? "ask" : "wait";
}
