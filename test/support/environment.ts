import { join } from "node:path";

/**
 * Environment of a test run, set before any other module reads it. The schedule is the tests' own, wherever the
 * operator's is.
 */
process.env["SCHEDULE_FOLDER"] = join(import.meta.dirname, "..", "..", "dist", "test", "schedule");
/** The chain family is that of the fixtures, whatever the operator's settings are. */
process.env["CHAIN_FAMILY"] = "move";
// Dozens of tests start a tool as a process. Most of that time is the compilation of the same large dependencies, so it
// is cached.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "..", "..", "node_modules", ".cache", "node");
