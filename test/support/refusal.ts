import { Refusal } from "../../tools/lib/command-line.ts";

/** Returns the lines with which a tool refuses to run; none when it runs. */
export function refusalOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (cause) {
    if (cause instanceof Refusal) return cause.lines;
    throw cause;
  }
  return [];
}

/** Returns the lines with which an asynchronous tool refuses. */
export async function refusalOfPromise(work: Promise<unknown>): Promise<readonly string[]> {
  const cause = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return refusalOf(() => {
    if (cause !== undefined) throw cause;
  });
}
