import fc from "fast-check";

/** Default number of runs of a property; more at night. */
fc.configureGlobal({ numRuns: Number(process.env["FC_RUNS"] ?? "40") });
