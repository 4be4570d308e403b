/**
 * What the tests start in a runtime of their own, as imports that nobody makes: `npm test -- --changed` runs the tests
 * that import what a change touches, and these import nothing of what they start.
 */
export const STARTED = [() => import("../../src/worker.ts"), () => import("../../devnode/worker.ts")];
