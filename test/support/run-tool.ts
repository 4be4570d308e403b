import "./started-product.js";
import { spawn } from "node:child_process";
import { CHECKOUT, ENVIRONMENT } from "./checkout.ts";

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a tool as `npm run` does, to its end. `variables` are added to its environment. */
export function runTool(name: string, words: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const child = spawn("node", ["tools/main.mjs", name, ...words], {
    cwd: CHECKOUT,
    env: { ...ENVIRONMENT, ...variables },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output: output.trimEnd() })));
}
