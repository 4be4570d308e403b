import fc from "fast-check";

/** Runs of a property that names no number of its own; more at night. */
fc.configureGlobal({ numRuns: Number(process.env["FC_RUNS"] ?? "40") });
