import { expect, test } from "vitest";
import type { ChainNode } from "../../../src/families/chain-node.ts";
import { readingOfChains } from "../../../tools/chain-reading.ts";
import { tokenChain } from "../../support/token-chain.ts";
import { bucket, file, valid } from "../supply/schedules.ts";

const [START_MS, TEN_MINUTES_MS] = [Date.parse("2026-11-21T09:00:00Z"), 600_000];

test("chains are added up only if their versions are at most ten minutes apart", async () => {
  // Nodes are asked last, so a reading that is not refused ends at them.
  const asked = new Error("the nodes are asked");
  // Cast: of a node only its first answer is needed.
  const node = { supply: () => Promise.reject(asked) } as unknown as ChainNode;
  const readingAfter = (milliseconds: number) =>
    readingOfChains(
      [
        { chain: tokenChain(), node, point: { atMs: START_MS } },
        { chain: tokenChain({ id: "base" }), node, point: { atMs: START_MS + milliseconds } },
      ],
      valid(file({ buckets: [bucket()] })),
    );
  for (const apart of [TEN_MINUTES_MS + 1, 11 * TEN_MINUTES_MS])
    expect(await readingAfter(apart)).toEqual({
      reason: "base: its version is more than ten minutes newer than another chain's",
    });
  await expect(readingAfter(TEN_MINUTES_MS)).rejects.toBe(asked);
});
