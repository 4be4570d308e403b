import { join } from "node:path";

/**
 * The environment of a run of the tests, set before any other module reads it: the schedule is the tests' own, whatever
 * the operator's is and wherever it is.
 */
process.env["SCHEDULE_FOLDER"] = join(import.meta.dirname, "..", "..", "dist", "test", "schedule");
/** And the chain family of the fixtures, whatever the operator's settings say. */
process.env["CHAIN_FAMILY"] = "move";
// Dozens of tests start a tool as a process; most of such a start is compiling the same large dependencies.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "..", "..", "node_modules", ".cache", "node");
