import { createVitest, type Vitest } from "vitest/node";

/** A run that takes this many times longer than without a mutant has an endless loop. */
const DEADLINE_FACTOR = 8;
const MIN_DEADLINE_MS = 30_000;
const MAX_RSS_BYTES = 1_500_000_000;

/** Runs the unit tests of one folder repeatedly, in one process that stays warm. */
export class TestRunner {
  readonly #root: string;
  readonly #durationsMs = new Map<string, number>();
  #vitest: Vitest | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** The tests of these files that fail, as `file: title`, without a deadline; records the duration of each file. */
  async failures(tests: readonly string[]): Promise<string[]> {
    const modules = await this.#run(tests);
    for (const module of modules) this.#durationsMs.set(module.relativeModuleId, module.diagnostic().duration);
    return modules
      .filter((module) => !module.ok())
      .flatMap((module) => {
        const titles = [...module.children.allTests("failed")].map(({ fullName }) => fullName);
        const errors = module.errors().map(({ message }) => message);
        return [...titles, ...errors].map((text) => `${module.relativeModuleId}: ${text}`);
      });
  }

  /** To be called after a source file has changed. */
  invalidate(file: string): void {
    this.#vitest?.invalidateFile(file);
  }

  /** The result of the tests of these files; `endless` when they take much longer than before. */
  async result(tests: readonly string[]): Promise<"passed" | "failed" | "endless"> {
    // Modules of earlier runs stay in memory.
    if (process.memoryUsage().rss > MAX_RSS_BYTES) await this.close();
    const usualMs = tests.reduce((sum, test) => sum + (this.#durationsMs.get(test) ?? 0), 0);
    const deadlineMs = Math.max(MIN_DEADLINE_MS, DEADLINE_FACTOR * usualMs);
    const modules = await Promise.race([this.#run(tests), after(deadlineMs)]);
    if (modules === undefined) {
      // An endless loop blocks the thread: the runner is stopped, and the next run starts another.
      await this.close();
      return "endless";
    }
    return modules.length === tests.length && modules.every((module) => module.ok()) ? "passed" : "failed";
  }

  async close(): Promise<void> {
    const running = this.#vitest;
    this.#vitest = undefined;
    if (running !== undefined) await Promise.race([running.close(), after(5_000)]);
  }

  async #run(tests: readonly string[]) {
    this.#vitest ??= await started(this.#root);
    const vitest = this.#vitest;
    const all = await vitest.globTestSpecifications([...tests]);
    const specifications = all.filter(({ moduleId }) => tests.includes(moduleId.slice(this.#root.length + 1)));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    if (unhandledErrors.length > 0) return [];
    // The result includes the modules of earlier runs.
    return testModules.filter(({ relativeModuleId }) => tests.includes(relativeModuleId));
  }
}

function started(root: string): Promise<Vitest> {
  return createVitest("test", {
    root,
    watch: false,
    project: ["unit"],
    pool: "threads",
    isolate: false,
    fileParallelism: false,
    bail: 1,
    testTimeout: 300_000,
    reporters: [{}],
  });
}

function after(delayMs: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, delayMs, undefined).unref());
}
