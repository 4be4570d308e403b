/** As `all.ts`, for a deployment with another schedule: the clock's cases are of one. */
import.meta.glob(["./*.test.ts", "!./supply-clock.test.ts"], { eager: true });
