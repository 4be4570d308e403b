import vaultFile from "../../fixtures/contracts/erc4626-vault.json" with { type: "json" };
import type { EvmChain } from "./chain.ts";
import { selectorOf } from "./lock.ts";

const DEPOSITOR = `0x${"d".repeat(40)}`;

/**
 * OpenZeppelin's ERC-4626 vault and its asset, in the chain's EVM. The test's book of them is kept apart from the
 * contracts, by the rules of ERC-4626 alone.
 */
export async function beginVault(chain: EvmChain, decimals = 18) {
  const asset = await chain.send({ from: DEPOSITOR, data: vaultFile.asset + word(BigInt(decimals)) });
  const vault = await chain.send({ from: DEPOSITOR, data: vaultFile.vault + word(BigInt(asset)) });
  const call = (to: string, signature: string, ...values: readonly bigint[]) =>
    chain.send({ from: DEPOSITOR, to, data: `0x${selectorOf(signature)}${values.map(word).join("")}` });
  const book = { assets: 0n, shares: 0n };
  await call(asset, "approve(address,uint256)", BigInt(vault), 2n ** 256n - 1n);
  return {
    address: vault,
    book,
    deposit: async (amount: bigint) => {
      await call(asset, "mint(address,uint256)", BigInt(DEPOSITOR), amount);
      await call(vault, "deposit(uint256,address)", amount, BigInt(DEPOSITOR));
      book.shares += (amount * (book.shares + 1n)) / (book.assets + 1n);
      book.assets += amount;
    },
    /** Pays the vault, so that every share is worth more. */
    earn: async (amount: bigint) => {
      await call(asset, "mint(address,uint256)", BigInt(vault), amount);
      book.assets += amount;
    },
    /** What one whole share is worth, by the book: with the virtual share and asset of OpenZeppelin's vault. */
    price: () => (10n ** BigInt(decimals) * (book.assets + 1n)) / (book.shares + 1n),
  };
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}
