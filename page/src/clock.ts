/** Difference of the service's clock and the reader's, because a public figure's time is the service's. */
let offsetMs = 0;
/** `Date` is in whole seconds. */
const TOLERANCE_MS = 2_000;

export const serviceNow = (): number => Date.now() + offsetMs;

/** Sets the clock by an answer that was sent just now. */
export function setClock(answer: Response): void {
  const foundMs = Date.parse(answer.headers.get("Date") ?? "") - Date.now();
  if (Math.abs(foundMs - offsetMs) > TOLERANCE_MS) offsetMs = foundMs;
}
