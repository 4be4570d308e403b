import "../support/first-readings.ts";

/** Runs the tests of `all.ts` except those that name steps of the tests' own schedule or its registered addresses. */
import.meta.glob(["./*.test.ts", "./kinds/*.test.ts", "!./supply-clock.test.ts", "!./addresses.test.ts"], {
  eager: true,
});
