import type { Answer } from "./api.ts";

/** The minimum pause, even if a response states less. */
const MIN_SECONDS = 5;
/** The maximum pause, so that an open page recovers within a minute of a failure's end. */
const MAX_SECONDS = 60;

export interface Polling {
  /** Reads now instead of when it is due. */
  readonly now: () => void;
}

/**
 * Reads, displays, and reads again after `secondsAfter(answer)`, or at a failure's retry time. There is no request
 * while the tab is hidden; a read that is due meanwhile starts when the tab is visible again.
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
