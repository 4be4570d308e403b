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

/** Waits for the end of a process; returns its exit code and its output, stderr last. */
export async function finished(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  const [[code], output, errors] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { code, output: (output + errors).trimEnd() };
}

/** Runs a tool to its end as `npm run` does. `variables` are added to its environment. */
export function runTool(
  name: string,
  words: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  folder = CHECKOUT,
): Promise<Finished> {
  const env = { ...ENVIRONMENT, ...variables };
  return finished(spawn("node", ["tools/main.mjs", name, ...words], { cwd: folder, env }));
}

/**
 * Runs a tool within this process, in a tenth of the time, if it reads no settings of the checkout. It returns the exit
 * code; that the process ends with it is tested by {@link runTool}.
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
