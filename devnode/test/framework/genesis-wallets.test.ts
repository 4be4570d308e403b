import { expect, test } from "vitest";
import { addressOfBytes, parseAddress } from "../../../src/chain/address.ts";
import type { Holding } from "../../../src/chain/holding.ts";
import type { ReadView } from "../../../src/chain/view.ts";
import { MOVE } from "../../../src/families/move/family.ts";
import { moveNode } from "../../../src/families/move/move-node.ts";
import { address } from "../../framework/schema.ts";
import { mintedFor } from "../../genesis-wallets.ts";
import { given, WALLETS, World } from "../vm/world.ts";

const COIN = { kind: "coin", text: "0x1::aptos_coin::AptosCoin" } as const;
const world = new World();

/** The views of the chain in memory: every argument is an address, every value an address or an integer. */
const readView: ReadView = async (call) => {
  const values = call.arguments.map((text) =>
    given(address, parseAddress(String(text)) ?? addressOfBytes(new Uint8Array())),
  );
  const outcome = world.view(call.function, values, call.typeArguments);
  if (outcome.kind !== "returned") return { kind: "refused", status: 400 };
  const printed = outcome.values.map(({ bytes }) =>
    bytes.length === 32
      ? addressOfBytes(bytes)
      : String(new DataView(Uint8Array.from(bytes).buffer).getBigUint64(0, true)),
  );
  return { kind: "returned", values: printed, ledgerVersion: call.ledgerVersion };
};

const node = moveNode("memory", 0n, {
  readView,
  readResource: async ({ type, ledgerVersion }) => ({
    kind: "returned",
    values: [world.resource(type)],
    ledgerVersion,
  }),
});

test("the figures' own reading of native staking is the reward rate, the epoch and the validator set", async () => {
  const pool = WALLETS.find(({ holds }) => holds === "stake_pool")?.amount ?? 0n;
  // The inactive twentieth and the pending one earn no rewards.
  const staked = pool - 2n * (pool / 20n);
  expect(await node.staking(0n)).toEqual({
    numerator: 999_999n,
    denominator: 62_500_000_000n,
    epochSeconds: 7_200n,
    staked,
  });
});

test("the wallets of these tests are of every kind that a Move chain has", () => {
  expect(new Set(WALLETS.map(({ holds }) => holds))).toEqual(new Set(MOVE.holds));
});

test.each(WALLETS)("the figures' own reading of a $holds with $amount base units is that amount", async (wallet) => {
  const { holds, address: owner, reference } = wallet;
  const reading = {
    chain: "native",
    address: owner,
    label: "",
    holds,
    pool: reference,
    operator: reference,
  } as Holding; // every kind has the members that it needs
  expect(await node.balances(COIN, [reading], 0n)).toMatchObject([{ baseUnits: wallet.amount }]);
});

test("a staking contract's pool holds more than its staker's stake: the operator's commission", () => {
  for (const wallet of WALLETS) expect(mintedFor(wallet) > wallet.amount).toBe(wallet.holds === "staking_contract");
});

test.each([
  ["delegation_pool::get_stake", 0x10003n, "EDELEGATION_POOL_DOES_NOT_EXIST"],
  ["staking_contract::stake_pool_address", 0x60003n, "ENO_STAKING_CONTRACT_FOUND_FOR_STAKER"],
  ["staking_contract::staking_contract_amounts", 0x60003n, "ENO_STAKING_CONTRACT_FOUND_FOR_STAKER"],
])("%s of an address without one aborts with %d, %s", (name, code, reason) => {
  const [nobody, other] = [7, 8].map((byte) => addressOfBytes(new Uint8Array(32).fill(byte)));
  const values = [nobody, other].flatMap((each) => (each === undefined ? [] : [given(address, each)]));
  const status = { kind: "move_abort", code, reason: { name: reason } };
  expect(world.view(`0x1::${name}`, values)).toMatchObject({ kind: "failed", status });
});
