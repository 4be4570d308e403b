import "../support/first-readings.ts";

/** The cases of a schedule file of wallets alone: the others are about an unlock schedule. */
import.meta.glob(["./kinds/*.test.ts"], { eager: true });
