import type { Schedule } from "../../../../src/supply/schedule.ts";
import { holdingKey, walletsOf } from "../../../../src/supply/wallets.ts";
import { amountsIn } from "../../../../tools/chain-reading.ts";
import type { Facts } from "../../../../tools/listing/facts.ts";
import type { ReadmeFacts } from "../../../../tools/listing/kit.ts";
import { readingOfOne, tokenChain } from "../../../support/token-chain.ts";
import { wallet } from "../../supply/schedules.ts";

export const TOKEN = 10n ** 8n;
export const AT_MS = Date.parse("2026-01-01T00:00:00Z");
export const listed = (address: string, category: string, more: object = {}) =>
  wallet(address, { label: `Vault ${address}`, category, ...more });
export const WALLETS = [listed("0xa1", "team"), listed("0xbb", "burn")];

/** A reading in which every wallet holds as many tokens as `tokens` says. */
export function factsOf(schedule: Schedule, tokens: readonly (bigint | null)[] = [], minted = 1_000n): Facts {
  const wallets = walletsOf(schedule).map((each, index) => {
    const held = tokens[index];
    const at = { ledgerVersion: 7n, readAtMs: AT_MS, stake: null, pool: null };
    const balance = held === null ? null : { ...at, baseUnits: (held ?? 0n) * TOKEN };
    return { holding: holdingKey(each), address: each.address, confirmedBy: [], balance, anomaly: null };
  });
  const read = readingOfOne({
    ledgerVersion: 7n,
    readAtMs: AT_MS,
    decimals: 8,
    minted: minted * TOKEN,
    wallets,
    staking: null,
    confirmedBy: ["--node"],
    nodeCount: 1,
    lastComplete: null,
  });
  const lines = { contradictions: [], departures: [], differences: [] };
  const reading = { reading: read, amounts: amountsIn(schedule, read), ...lines };
  return {
    schedule,
    reading,
    atMs: AT_MS,
    url: "https://api.example.org",
    explorer: "https://scan.example/a/{address}",
    recorded: [],
  };
}

export const EVIDENCE: ReadmeFacts = {
  chains: [
    {
      chain: tokenChain({ asset: { kind: "coin", text: "0x1::c::C" } }),
      point: { chainId: 4, version: 7n, atMs: AT_MS },
    },
  ],
  scheduleHash: "f00d",
  isHistoryRead: true,
};
