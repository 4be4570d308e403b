/** Request of a caller, by the caller's own clock. `lost`: no answer came, so it may or may not have been counted. */
export interface Spent {
  readonly sentMs: number;
  readonly endedMs: number;
  readonly outcome: "admitted" | "refused" | "lost";
}

/**
 * Lists the provable violations of "at most `quota` in any window, and no refusal when fewer were admitted in the last
 * one". A request was admitted at an unknown time between its sending and its response. So a violation is reported only
 * if it holds for every such time.
 */
export function quotaFaults(spent: readonly Spent[], quota: number, windowMs: number): string[] {
  const admitted = spent.filter(({ outcome }) => outcome === "admitted").sort((a, b) => a.sentMs - b.sentMs);
  const faults: string[] = [];
  for (const [index, first] of admitted.entries()) {
    const within = admitted.slice(index).filter(({ endedMs }) => endedMs - first.sentMs < windowMs).length;
    if (within > quota) faults.push(`${within} admitted in the ${windowMs} ms from ${Math.round(first.sentMs)}`);
  }
  const possible = spent.filter(({ outcome }) => outcome !== "refused");
  for (const { sentMs, endedMs } of spent.filter(({ outcome }) => outcome === "refused")) {
    const max = possible.filter((one) => one.sentMs <= endedMs && one.endedMs > sentMs - windowMs).length;
    if (max < quota) faults.push(`refused at ${Math.round(sentMs)} after at most ${max} admissions`);
  }
  return faults;
}
