import { spawnSync } from "node:child_process";
import { chromiumPath } from "./browser.ts";

/** Program that some tests need. On a machine without it, they are skipped. */
interface MachineTool {
  readonly name: string;
  /** Tests that need it, as the summary calls them. */
  readonly tests: string;
  readonly isPresent: boolean;
  /** Command that installs it on Debian, or what else provides it. */
  readonly install: string;
}

const outputOf = (command: string): string => spawnSync(command, ["--version"], { encoding: "utf8" }).stdout ?? "";

/** Whether the machine has Python, which runs an example of the manual. */
export const hasPython = outputOf("python3") !== "";
/** Whether the machine has the program that gives a command a terminal of its own, from util-linux. */
export const hasTerminals = outputOf("script").includes("util-linux");

const MACHINE_TOOLS: readonly MachineTool[] = [
  {
    name: "Chromium",
    tests: "browser tests",
    isPresent: chromiumPath !== undefined,
    install: "apt-get install chromium-headless-shell, or its path in CHROMIUM",
  },
  {
    name: "Python",
    tests: "the manual's example in Python",
    isPresent: hasPython,
    install: "apt-get install python3",
  },
  {
    name: "script of util-linux",
    tests: "tests of a command's questions in a terminal",
    isPresent: hasTerminals,
    install: "apt-get install bsdutils",
  },
];

/** One line for each program that this machine lacks: the tests that were skipped, and the command that brings them. */
export function skippedTests(tools: readonly MachineTool[] = MACHINE_TOOLS): string[] {
  return tools
    .filter(({ isPresent }) => !isPresent)
    .map(
      ({ name, tests, install }) => `Skipped: ${tests}, because this machine has no ${name}. It comes with: ${install}`,
    );
}
