import { createTestHarness } from "wrangler";

/** The embedded node as a process of its own serves it, on a free port, with a chain that begins now. */
export interface RunningNode {
  /** Ends in `/v1`. */
  readonly url: string;
  /** Without `/v1`: the faucet and the rates feed stand there. */
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/** Starts the embedded node with settings that differ from its defaults. */
export async function startNode(vars: Readonly<Record<string, string>> = {}): Promise<RunningNode> {
  process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false"; // no look-up of the real edge's request properties
  const harness = createTestHarness({
    workers: [{ configPath: new URL("../../devnode/wrangler.toml", import.meta.url), vars }],
  });
  const { url } = await harness.listen();
  return { url: new URL("/v1", url).href, origin: url.origin, close: () => harness.close() };
}

/** Gives base units of the native coin to an address, as the faucet does. */
export async function mint({ origin }: RunningNode, address: string, amount: bigint): Promise<string> {
  const response = await fetch(`${origin}/mint?address=${address}&amount=${amount}`, { method: "POST" });
  const hashes: unknown = await response.json();
  if (!Array.isArray(hashes)) throw new Error(`the faucet answered ${response.status} ${JSON.stringify(hashes)}`);
  return String(hashes[0]);
}
