import { FakeNode } from "../../test/support/fake-node.ts";

/** Results of each view, whatever its arguments: amounts that add up for any schedule of a billion tokens. */
const RETURNS = {
  "0x1::coin::supply": [{ vec: ["100000000000000000"] }],
  "0x1::coin::decimals": [8],
  "0x1::fungible_asset::supply": [{ vec: ["5000000"] }],
  "0x1::fungible_asset::decimals": [6],
  "0x1::stake::get_stake": ["1", "1", "1", "1"],
  "0x1::delegation_pool::get_stake": ["1", "1", "1"],
  "0x1::vesting::stake_pool_address": ["0xcc"],
  "0x1::staking_contract::stake_pool_address": ["0xcd"],
  "0x1::staking_contract::staking_contract_amounts": ["2", "1", "0"],
};

/** A node that answers views and its newest version after a delay. */
export async function viewNode(delayMs) {
  const node = await FakeNode.start();
  node.delayMs = delayMs;
  node.followClock();
  node.views = (call) => RETURNS[call.function] ?? ["1"];
  return node;
}

/** Returns the node's calls and bytes since the last time. */
export function take(node) {
  const taken = { calls: node.requests.length, bytes: node.bytes };
  node.requests.length = node.bytes = 0;
  return taken;
}
