import { Refusal } from "../lib/command-line.ts";
import { blocksOf, getJson } from "./blocks.ts";
import type { GivenNode } from "./given-node.ts";
import { nodeAt } from "./move-views.ts";

/** A node of a Move chain by its base URL. */
export function moveNodeAt(base: string): GivenNode {
  const ledger = () => getJson(base).catch(() => undefined);
  return {
    pointAt: async (version) => {
      const { ledger_version: newest, chain_id: chainId } = (await ledger()) ?? {};
      if (typeof newest !== "string" || typeof chainId !== "number")
        throw new Refusal(["--node: does not answer as a chain node; give its base URL, ending in /v1"]);
      const wanted = version ?? BigInt(newest);
      const block = await getJson(`${base}/blocks/by_version/${wanted}`).catch(() => undefined);
      const timestamp = block?.["block_timestamp"];
      if (typeof timestamp === "string") return { chainId, version: wanted, atMs: Number(BigInt(timestamp) / 1000n) };
      throw new Refusal([`--node: has no block of ledger version ${wanted}; take an archive node, or a later version`]);
    },
    at: async (version) => nodeAt(base, version),
    blocks: () =>
      blocksOf(base).catch((cause: unknown) => {
        throw new Refusal([`${base}: ${String(cause)}`]);
      }),
  };
}
