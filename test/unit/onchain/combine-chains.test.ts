import { expect, test } from "vitest";
import { type ChainState, combineChains } from "../../../src/onchain/combine-chains.ts";
import type { Reading, WalletState } from "../../../src/onchain/reading.ts";
import { FINER, legsSchedule } from "../../support/legs-world.ts";

const NOW_MS = 1_800_000_000_000;

function legOf(id: string, decimals: number, wallets: readonly WalletState[] = []): ChainState {
  const word = { saidBy: ["a", "b"], asked: 2, staking: null, whole: null };
  const value: Reading = { ...word, ledgerVersion: 7n, readAtMs: NOW_MS, decimals, minted: 5n, wallets };
  return { id, good: { kind: "observed", value, observedAtMs: NOW_MS }, failed: null };
}

test("beside a leg of finer units, the parts of a stake pool are in them as its balance is", () => {
  const stake = { active: 1n, inactive: 2n, pendingActive: 3n, pendingInactive: 4n };
  const balance = { baseUnits: 10n, stake, pool: null, ledgerVersion: 7n, readAtMs: NOW_MS };
  const wallet = { holding: "native 0x1 stake_pool", address: "0x1", saidBy: ["a", "b"], balance, anomaly: null };
  const states = [legOf("native", 8, [wallet]), legOf("eth", 18), legOf("base", 18)];
  const joined = combineChains(legsSchedule(), states, null, 1, NOW_MS)?.value.wallets[0]?.balance;
  const times = (amount: bigint) => amount * FINER;
  expect(joined).toMatchObject({
    baseUnits: times(10n),
    stake: { active: times(1n), inactive: times(2n), pendingActive: times(3n), pendingInactive: times(4n) },
  });
});
