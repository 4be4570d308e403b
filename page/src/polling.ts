import type { Answer } from "./api.ts";

/** Never sooner than this, whatever an answer says. */
const MIN_SECONDS = 5;
/** Nor later: a failure of an hour heals within a minute of its end, on a page somebody looks at. */
const MAX_SECONDS = 60;

export interface Polling {
  /** Reads now instead of when it is due. */
  readonly now: () => void;
}

/**
 * Reads, displays, and reads again after `secondsAfter(answer)`, or when a failure says so. There is no request while the
 * tab is hidden; what fell due meanwhile is read when the tab is visible again.
 */
export function poll<T>(
  read: () => Promise<Answer<T>>,
  showAnswer: (answer: Answer<T>) => void,
  secondsAfter: (answer: Answer<T>) => number = () => MAX_SECONDS,
): Polling {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let isReading = false;
  const load = async (): Promise<void> => {
    clearTimeout(timer);
    isDue = document.hidden;
    if (isDue || isReading) return;
    isReading = true;
    const answer = await read();
    isReading = false;
    showAnswer(answer);
    const seconds = answer.kind === "failure" ? answer.retrySeconds : secondsAfter(answer);
    timer = setTimeout(() => void load(), Math.min(Math.max(seconds, MIN_SECONDS), MAX_SECONDS) * 1_000);
  };
  document.addEventListener("visibilitychange", () => (isDue && !document.hidden ? void load() : undefined));
  void load();
  return { now: () => void load() };
}

/** Runs once, as soon as the element is in view. */
export function whenSeen(element: Element, run: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    run();
  });
  observer.observe(element);
}
