/** As `all.ts`, without the cases that name steps of the tests' own schedule. */
import.meta.glob(["./*.test.ts", "!./supply-clock.test.ts"], { eager: true });
