import "../support/first-readings.ts";

/** Every test of the contract as one file: inside workerd, one runtime and one set of modules serve all of them. */
import.meta.glob(["./*.test.ts", "./kinds/*.test.ts"], { eager: true });
