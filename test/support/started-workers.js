/**
 * Names the modules that tests start in a runtime, as imports that nobody executes. `npm test -- --changed` runs tests
 * that import a changed file, and these tests do not import what they start.
 */
export const STARTED = [() => import("../../src/worker.ts"), () => import("../../devnode/worker.ts")];
