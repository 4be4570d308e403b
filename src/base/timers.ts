/** Milliseconds since 1970. */
export function now(): number {
  return Date.now();
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Calls `then` after a delay unless the returned function is called first. */
export function after(milliseconds: number, then: () => void): () => void {
  const timer = setTimeout(then, milliseconds);
  return () => clearTimeout(timer);
}

/** Returns the result of `work`, or `fallback` when it fails or takes too long. */
export async function within<T>(milliseconds: number, work: PromiseLike<T>, fallback: T): Promise<T> {
  let cancel = (): void => undefined;
  const timeout = new Promise<T>((resolve) => {
    cancel = after(milliseconds, () => resolve(fallback));
  });
  try {
    return await Promise.race([work, timeout]);
  } catch {
    return fallback;
  } finally {
    cancel();
  }
}
