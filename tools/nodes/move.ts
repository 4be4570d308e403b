import { nodeAccess } from "../../src/chain/node-key.ts";
import { Refusal } from "../lib/command-line.ts";
import { blocksOf, getJson } from "./blocks.ts";
import type { GivenNode } from "./given-node.ts";
import { nodeAt } from "./move-views.ts";

/** Makes a node of a Move chain from its base URL. {@link nodeAccess} decides where its key is sent. */
export function moveNodeAt(address: string, key: string): GivenNode {
  const { url: base, headers } = nodeAccess(address, key);
  const get = (path: string) => getJson(`${base}${path}`, headers);
  const ledger = () => get("").catch(() => undefined);
  return {
    pointAt: async (version) => {
      const { ledger_version: newest, chain_id: chainId } = (await ledger()) ?? {};
      if (typeof newest !== "string" || typeof chainId !== "number")
        throw new Refusal(["--node: does not answer as a chain node; give its base URL, ending in /v1"]);
      const wanted = version ?? BigInt(newest);
      const block = await get(`/blocks/by_version/${wanted}`).catch(() => undefined);
      const timestamp = block?.["block_timestamp"];
      if (typeof timestamp === "string") return { chainId, version: wanted, atMs: Number(BigInt(timestamp) / 1000n) };
      throw new Refusal([`--node: has no block of ledger version ${wanted}; use an archive node, or a later version`]);
    },
    at: async (version) => nodeAt(base, version, headers),
    blocks: () =>
      blocksOf(base, headers).catch((cause: unknown) => {
        throw new Refusal([`${address}: ${String(cause)}`]);
      }),
  };
}
