import "./started-product.js";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { vi } from "vitest";
import { printFailure, printResult } from "../../tools/lib/command-line.ts";
import { CHECKOUT, ENVIRONMENT } from "./checkout.ts";

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** A process that has ended. */
export interface FinishedProcess extends Finished {
  /** Standard output alone; `output` has standard error after it. */
  readonly stdout: string;
}

/** Waits for the end of a process: its exit code, and what it printed, stderr last. */
export async function finished(child: ChildProcessWithoutNullStreams): Promise<FinishedProcess> {
  const [[code], output, errors] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { code, output: (output + errors).trimEnd(), stdout: output };
}

/** Runs a tool as `npm run` does, to its end. `variables` are added to its environment. */
export function runTool(
  name: string,
  words: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  folder = CHECKOUT,
): Promise<FinishedProcess> {
  const env = { ...ENVIRONMENT, ...variables };
  return finished(spawn("node", ["tools/main.mjs", name, ...words], { cwd: folder, env }));
}

/**
 * The same within this process, in a tenth of the time: for a tool that reads no settings of the checkout. Its exit code
 * is what it gives; that a process ends with it is for {@link runTool} to show.
 */
export async function callTool(
  name: string,
  tool: (words: string[]) => Promise<unknown>,
  words: readonly string[],
): Promise<Finished> {
  const lines: string[] = [];
  const take = (line: string): void => void lines.push(line);
  const printers = [
    vi.spyOn(console, "log").mockImplementation(take),
    vi.spyOn(console, "error").mockImplementation(take),
  ];
  try {
    const code = await tool([...words]).then(printResult, (cause: unknown) => printFailure(cause, `${name}: `));
    return { code, output: lines.join("\n").trimEnd() };
  } finally {
    for (const printer of printers) printer.mockRestore();
  }
}
