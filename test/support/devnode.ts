import { createRuntime, NODE_OBJECTS, type Runtime, workerModule } from "./runtime.ts";

/** Embedded node in a separate process, with a chain that begins at its first start. */
export interface NodeProcess extends Omit<Runtime, "url"> {
  readonly url: () => string;
}

/** Prepares another process with its own storage, without starting it. */
export async function nodeProcess(vars: Readonly<Record<string, string>> = {}): Promise<NodeProcess> {
  const modules = { "worker.js": await workerModule("devnode") };
  const runtime = createRuntime({ node: { modules, vars, objects: NODE_OBJECTS } });
  const url = (): string => runtime.url("node");
  return {
    ...runtime,
    url,
    start: async () => {
      await runtime.start();
      // The request starts the chain; its response does not matter.
      await (await fetch(`${url()}/v1/-/healthy`)).text();
    },
  };
}

/** A running embedded node. */
export interface RunningNode {
  /** URL, which ends in `/v1`. */
  readonly url: string;
  /** Origin, for the faucet and the rates feed. */
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/** Starts the embedded node with settings that differ from its defaults. */
export async function startNode(vars: Readonly<Record<string, string>> = {}): Promise<RunningNode> {
  const node = await nodeProcess(vars);
  await node.start();
  return { url: `${node.url()}/v1`, origin: node.url(), close: node.remove };
}

/** Gives base units of the native coin to an address, as the faucet does. */
export async function mint({ origin }: RunningNode, address: string, amount: bigint): Promise<string> {
  const response = await fetch(`${origin}/mint?address=${address}&amount=${amount}`, { method: "POST" });
  const hashes: unknown = await response.json();
  if (!Array.isArray(hashes)) throw new Error(`the faucet answered ${response.status} ${JSON.stringify(hashes)}`);
  return String(hashes[0]);
}
