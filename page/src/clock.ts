/** Difference between the service's clock and the reader's. A figure is true at the service's time. */
let offsetMs = 0;
/** The header `Date` is in whole seconds. */
const TOLERANCE_MS = 2_000;

export const serviceNow = (): number => Date.now() + offsetMs;

/** Sets the clock by a response that was sent just now. */
export function setClock(answer: Response): void {
  const foundMs = Date.parse(answer.headers.get("Date") ?? "") - Date.now();
  if (Math.abs(foundMs - offsetMs) > TOLERANCE_MS) offsetMs = foundMs;
}
