import { expect, test } from "vitest";
import { parseAsset } from "../../src/chain/asset.ts";
import { legFinding } from "../../tools/nodes/legs.ts";
import { freePort } from "../support/product.ts";
import { product } from "../support/shared-product.ts";

/** A further chain whose node is a real one. */
async function findingOf({ urls = [`${product.url}/v1`], asset = "0x1::aptos_coin::AptosCoin", chainId = 0 }) {
  const { chain_id: real } = (await (await fetch(`${product.url}/v1`)).json()) as { chain_id: number };
  const chain = {
    ...({ id: "other", family: "move", chainId: chainId || real, supply: "issued", escrow: null } as const),
    asset: parseAsset(asset) ?? expect.fail("no asset"),
  };
  return legFinding({ chain, nodeUrls: urls, nodeKeys: [] });
}

test("a node of a further Move chain that says the token's supply has no problem", async () => {
  expect((await findingOf({})).problems).toEqual([]);
});

const port = await freePort();
test.each<[string, Parameters<typeof findingOf>[0], RegExp]>([
  [
    "follows another chain",
    { chainId: 77 },
    /^other-1 \(\S+\) is of chain \d+, and its chain_id in the schedule is 77$/,
  ],
  ["does not know the token", { asset: "0xdead::a::A" }, /^other-1 \(\S+\) does not say the token's supply: /],
  ["does not listen", { urls: [`http://127.0.0.1:${port}/v1`] }, /^other-1 \(\S+\) does not answer$/],
  ["is no node", { urls: [`${product.url}/api`] }, /^other-1 \(\S+\) does not answer as a chain node \(status 404\)$/],
])("one that %s is named, with the reason", async (_what, change, reason) => {
  expect((await findingOf(change)).problems).toEqual([expect.stringMatching(reason)]);
});

test("of two the one that cannot is named", async () => {
  const { problems } = await findingOf({ urls: [`${product.url}/v1`, `http://127.0.0.1:${port}/v1`] });
  expect(problems).toEqual([expect.stringMatching(/^other-2 /)]);
});
