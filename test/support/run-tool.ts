import "./started-product.js";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, vi } from "vitest";
import { printFailure, printResult } from "../../tools/lib/command-line.ts";
import { CHECKOUT, ENVIRONMENT } from "./checkout.ts";
import { eventually } from "./eventually.ts";
import { PATIENCE_MS } from "./patience.ts";

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

/** Problems of health on a machine so busy that a probe took too long. */
const BUSY_CODES: readonly string[] = ["upstream_unreachable", "limiter_local"];
const OF_A_BUSY_MACHINE = new RegExp(`^FAIL +health +health says (${BUSY_CODES.join("|")}) `);

/** Waits until health at an address has no problem of a busy machine, for what cannot be repeated afterwards. */
export async function idleHealth(url: string): Promise<void> {
  await eventually(async () => {
    const { problems } = (await (await fetch(`${url}/api/health`)).json()) as { problems: { code: string }[] };
    expect(problems.filter(({ code }) => BUSY_CODES.includes(code))).toEqual([]);
  });
}

/** Runs the doctor, and again while it reports nothing else than a busy machine. */
export async function examined(doctor: () => Promise<Finished>): Promise<Finished> {
  const untilMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const result = await doctor();
    const failures = result.output.split("\n").filter((line) => line.startsWith("FAIL"));
    const isBusy = failures.length > 0 && failures.every((line) => OF_A_BUSY_MACHINE.test(line));
    if (!isBusy || Date.now() > untilMs) return result;
  }
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
