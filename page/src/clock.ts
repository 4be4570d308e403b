/** Difference between the service's clock and the reader's. A figure is true at the service's time. */
let offsetMs = 0;
/** `Date` and `Age` are in whole seconds. */
const TOLERANCE_MS = 2_000;

/** Returns the service's time, which is never earlier than the build that the HTML names. */
export function serviceNow(): number {
  const built = document.getElementById("built")?.getAttribute("datetime") ?? "";
  return Math.max(Date.parse(built) || 0, Date.now() + offsetMs);
}

/**
 * Sets the clock by a response that arrived at `arrivedMs` of the reader's clock. Without `Date`, which the bare
 * runtime does not send, it is the time of the content, `asOf`, plus its `Age`.
 */
export function setClock({ headers }: Response, asOf = "", arrivedMs = Date.now()): void {
  const ageMs = 1_000 * (Number(headers.get("Age")) || 0);
  const sentMs = Date.parse(headers.get("Date") ?? "") || Date.parse(asOf) + ageMs;
  if (Math.abs(sentMs - arrivedMs - offsetMs) > TOLERANCE_MS) offsetMs = sentMs - arrivedMs;
}
