import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import schema from "../../../../schedule/schema.json" with { type: "json" };
import type { SharePrice } from "../../../../src/chain/share-price.ts";
import { parseEvmAddress } from "../../../../src/families/evm/address.ts";
import { evmNode } from "../../../../src/families/evm/evm-node.ts";
import { EVM } from "../../../../src/families/evm/family.ts";
import { PRICE_VIEWS } from "../../../../src/families/evm/price-views.ts";
import { FAMILIES } from "../../../../src/families/family.ts";
import { assemble } from "../../../../tools/evm/assemble.ts";
import { EvmChain, TOKEN } from "../../../support/evm/chain.ts";
import { lockCode, selectorOf, viewSlot } from "../../../support/evm/lock.ts";
import { REVERTS } from "../../../support/evm/token.ts";
import { beginVault } from "../../../support/evm/vault.ts";
import { errorsOf, file, validFile, walletFile } from "../../supply/schedules.ts";

const ETHER = 10n ** 18n;
const ASSET = { kind: "contract", text: parseEvmAddress(TOKEN) ?? expect.fail() } as const;
const CONTRACT = `0x${"fe".repeat(20)}`;
const SIGNATURES = Object.keys(PRICE_VIEWS);

const share = (view: string, changes: Partial<SharePrice> = {}): SharePrice => ({
  ...{ id: "vault", name: "Vault", kind: "vault", provider: "Example", url: null, chain: "native" },
  asset: { symbol: "XYZ", address: null, decimals: null },
  ...{ contract: CONTRACT, view, decimals: 18 },
  ...changes,
});

/** A chain with a contract of this code and storage, and a node of it. */
async function chainWith(code: Uint8Array, writes: ReadonlyMap<bigint, bigint> = new Map()) {
  const chain = await EvmChain.begin();
  await chain.mine(new Map(), null, new Map([[CONTRACT, { code, writes }]]));
  return { chain, ...nodeOf(chain) };
}

function nodeOf(chain: EvmChain) {
  const calls: { readonly gas?: string }[] = [];
  const head = { ...chain.head, timestampMs: chain.head.timestampSeconds * 1_000 };
  const node = evmNode(
    {
      label: "a",
      chainId: 1,
      head,
      call: async (method, params) => {
        calls.push(Object(params[0]));
        const answer = await chain.answer(method, params);
        if (!("result" in answer)) return { kind: "error", code: answer.error.code };
        return { kind: "result", value: answer.result };
      },
    },
    [],
  );
  const read = async (prices: readonly SharePrice[]) => {
    expect(await node.supply(ASSET, head.number, null)).toMatchObject({ minted: 10n ** 27n, decimals: 18 });
    return (await node.prices?.(ASSET, prices, head.number)) ?? expect.fail("the family reads prices");
  };
  return { calls, read, atMs: head.timestampMs };
}

test("the closed list is that of schema and manual, and each selector is the hash of its signature", () => {
  expect([...SIGNATURES].sort()).toEqual([...schema.properties.share_prices.items.properties.view.enum].sort());
  const manual = readFileSync(join(import.meta.dirname, "../../../../page/docs/schedule.md"), "utf8");
  const section = manual.split("## Share prices")[1]?.split("\n## ")[0] ?? "";
  const listed = [...section.matchAll(/^\| `(\w+\((?:uint256)?\))`/gm)].map(([, view]) => view);
  expect(listed.sort()).toEqual([...SIGNATURES].sort());
  for (const [signature, { selector, takesShares }] of Object.entries(PRICE_VIEWS)) {
    expect(selector, signature).toBe(selectorOf(signature));
    expect(takesShares, signature).toBe(signature.endsWith("(uint256)"));
  }
});

describe.each(SIGNATURES)("a price by %s", (view) => {
  const slot = (shares: bigint) => viewSlot(view, view.endsWith("()") ? null : String(shares));

  test("is the view's value for one whole share, at the block of the supply", async () => {
    const value = 1_234_567_890_123_456_789n;
    const { calls, read, atMs } = await chainWith(lockCode(), new Map([[slot(10n ** 6n), value]]));
    expect(await read([share(view, { decimals: 6 })])).toEqual([{ value, atMs }]);
    expect(calls).toHaveLength(2);
  });

  test.each([
    ["reverts", REVERTS, "does not answer"],
    ["is 0", 0n, "reports 0 by"],
  ])("that %s is refused by name", async (_case, value, why) => {
    const { read } = await chainWith(lockCode(), new Map([[slot(ETHER), value]]));
    expect(await read([share(view)])).toEqual([{ why: "refused", reason: `the contract ${why} ${view}` }]);
  });
});

test("the price of OpenZeppelin's vault is that of its book, of an asset with few decimals too", async () => {
  for (const decimals of [6, 18]) {
    const chain = await EvmChain.begin();
    const vault = await beginVault(chain, decimals);
    const unit = 10n ** BigInt(decimals);
    await vault.deposit(1_000n * unit + 7n);
    await vault.earn(33n * unit + 1n);
    const asked = share("convertToAssets(uint256)", { contract: vault.address, decimals });
    expect(await nodeOf(chain).read([asked])).toMatchObject([{ value: vault.price() }]);
    expect(vault.price()).toBeGreaterThan(unit);
  }
});

describe("the gas of prices", () => {
  /** Contract that answers 7 after some turns of a loop, each of some 40 gas. */
  const busy = (turns: number) =>
    assemble(`
      PUSH3 ${turns}
    next:
      PUSH1 1
      SWAP1
      SUB
      DUP1
      PUSH next
      JUMPI
      PUSH1 7
      PUSH1 0
      MSTORE
      PUSH1 32
      PUSH1 0
      RETURN
    `);
  const all = Array.from({ length: schema.properties.share_prices.maxItems }, (_, index) =>
    share("getRate()", { id: `vault-${index}`, decimals: index }),
  );

  test("is enough for a vault that asks many markets, and is bounded", async () => {
    const cheap = await chainWith(busy(20_000));
    expect(await cheap.read([share("getRate()")])).toMatchObject([{ value: 7n }]);
    const dear = await chainWith(busy(40_000));
    expect(await dear.read([share("getRate()")])).toMatchObject([{ why: "refused" }]);
  });

  test("is shared by no two prices: all that a file may list burn theirs, and the next one is still read", async () => {
    const { calls, read, chain } = await chainWith(Uint8Array.of(0xfe));
    const other = `0x${"0d".repeat(20)}`;
    await chain.mine(new Map(), null, new Map([[other, { code: busy(20_000) }]]));
    const { read: readLater, calls: later } = nodeOf(chain);
    expect(await read(all)).toEqual(all.map(() => expect.objectContaining({ why: "refused" })));
    const last = all.length - 1;
    const mixed = all.map((price, index) => (index === last ? { ...price, contract: other } : price));
    const prices = await readLater(mixed);
    expect(prices[last]).toMatchObject({ value: 7n });
    for (const each of [calls, later]) {
      expect(each).toHaveLength(2);
      expect(Number(each[1]?.gas)).toBeLessThanOrEqual(16_000_000);
    }
  });

  test("is a call of a reading more, however many there are", () => {
    const { reading } = EVM.calls;
    expect([0, 1, 20].map((count) => reading([], false, false, count) - reading([], false, false, 0))).toEqual([
      0, 1, 1,
    ]);
  });
});

describe("the section of a schedule file", () => {
  const listed = (changes: object = {}) => ({
    ...{ id: "vault", name: "Vault", kind: "vault", provider: "Example", asset: { symbol: "XYZ" } },
    ...{ chain: "native", contract: CONTRACT, view: "getRate()", decimals: 18 },
    ...changes,
  });
  const fileWith = (...prices: readonly unknown[]) => walletFile({ share_prices: prices });

  test("is parsed in files of both kinds; the contract gets its canonical form", () => {
    for (const content of [fileWith(listed()), file({ share_prices: [listed()] })]) {
      const [price] = validFile(content, "evm").sharePrices ?? [];
      expect(price).toEqual(share("getRate()"));
    }
    const full = listed({
      contract: CONTRACT.toUpperCase().replace("0X", "0x"),
      url: "https://example.org/vault",
      asset: { symbol: "XYZ", address: TOKEN, decimals: 6 },
    });
    expect(validFile(fileWith(full), "evm").sharePrices).toMatchObject([
      { contract: CONTRACT, url: "https://example.org/vault", asset: { address: TOKEN, decimals: 6 } },
    ]);
  });

  test.each([
    ["an unknown view", { view: "price()" }, /^share_prices\[0\]\.view: must be /],
    ["an unknown kind", { kind: "farm" }, /^share_prices\[0\]\.kind: must be /],
    ["a contract that is no address", { contract: "0xfe" }, /^share_prices\[0\]\.contract: must be an address/],
    ["a chain that the file does not name", { chain: "base" }, /^share_prices\[0\]\.chain: must be one of native/],
    ["the id of the chain's own product", { id: "native-staking" }, /id: native-staking is also the id of the chain's/],
    ["an id with a blank", { id: "a b" }, /^share_prices\[0\]\.id: /],
    ["too many decimals", { decimals: 37 }, /^share_prices\[0\]\.decimals: /],
    ["an unknown member", { apy: 5 }, /^share_prices\[0\]\.apy: /],
    ["no asset", { asset: undefined }, /^share_prices\[0\]\.asset: /],
  ])("with %s is refused", (_case, changes, error) => {
    const content = JSON.parse(JSON.stringify(fileWith(listed(changes))));
    expect(errorsOf(content, "evm")).toEqual([expect.stringMatching(error)]);
  });

  test("with one id twice is refused, and with more prices than one call can read", () => {
    expect(errorsOf(fileWith(listed(), listed({ view: "exchangeRate()" })), "evm")).toEqual([
      "share_prices[1].id: vault is also the id of share_prices[0]",
    ]);
    const many = Array.from({ length: 21 }, (_, index) => listed({ id: `v${index}` }));
    expect(errorsOf(fileWith(...many), "evm")).toEqual([expect.stringMatching(/^share_prices: /)]);
  });

  test("of a chain whose family has no such views is refused by the name of the family", () => {
    const without = Object.entries(FAMILIES).filter(([, { priceViews }]) => priceViews.length === 0);
    expect(without.length).toBeGreaterThan(0);
    for (const [family, { chain }] of without) {
      const content = walletFile({ share_prices: [listed({ contract: "0xfe" })] });
      expect(errorsOf(content, family as keyof typeof FAMILIES)).toEqual([
        `share_prices[0].view: getRate() cannot be read on ${chain}: name a chain of another family, or remove the price`,
      ]);
    }
  });
});
