import { expect, test } from "vitest";
import { freshSecondsOf } from "../../../src/onchain/reader.ts";
import { walletsReadAlone } from "../../../src/supply/wallets.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";

const address = (at: number) => `0x${String(at + 1).padStart(40, "0")}`;
const wallets = (count: number, chain: string) =>
  Array.from({ length: count }, (_, at) => wallet(address(at), { chain, category: "team" }));
const BASE = { id: "base", family: "evm", chain_id: 8453, asset: address(7), supply: "issued" };

test.each([
  ["40 wallets of a Move chain", "move", 40, 0, 30],
  ["41 wallets of a Move chain, a call each", "move", 41, 0, 60],
  ["256 wallets of a Move chain", "move", 256, 0, 210],
  ["256 wallets of an EVM chain, all in one call", "evm", 256, 0, 30],
  ["of a Move chain and a further EVM chain", "move", 30, 256, 30],
  ["of an EVM chain and a further one", "evm", 256, 256, 30],
] as const)("%s: a reading is fresh for its calls", (_what, family, first, further, seconds) => {
  const listed = [...wallets(first, "native"), ...wallets(further, "base")];
  const buckets = [bucket({ allocation: "1000", genesis: "1000", phases: [] })];
  const schedule = valid(file({ buckets, wallets: listed, ...(further === 0 ? {} : { chains: [BASE] }) }), family);
  expect(freshSecondsOf(walletsReadAlone(schedule, family))).toBe(seconds);
});
