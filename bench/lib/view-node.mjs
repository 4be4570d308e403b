import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** What each view returns, whatever its arguments: amounts that add up for any schedule of a billion tokens. */
const RETURNS = {
  "0x1::coin::supply": [{ vec: ["100000000000000000"] }],
  "0x1::coin::decimals": [8],
  "0x1::fungible_asset::supply": [{ vec: ["5000000"] }],
  "0x1::fungible_asset::decimals": [6],
  "0x1::stake::get_stake": ["1", "1", "1", "1"],
  "0x1::delegation_pool::get_stake": ["1", "1", "1"],
  "0x1::vesting::stake_pool_address": ["0xcc"],
  "0x1::staking_contract::stake_pool_address": ["0xcc"],
  "0x1::staking_contract::staking_contract_amounts": ["2", "1", "0"],
};

/** A node that answers views and its newest version after a delay, and counts calls and bytes. */
export async function viewNode(delayMs) {
  const counted = { calls: 0, bytes: 0 };
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const sent = Buffer.concat(parts);
    await pause(delayMs);
    const body = JSON.stringify(sent.length === 0 ? ledger() : (RETURNS[JSON.parse(sent).function] ?? ["1"]));
    counted.calls += 1;
    counted.bytes += sent.length + body.length;
    response.writeHead(200, { "Content-Type": "application/json", ...headers() });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    take: () => {
      const taken = { ...counted };
      Object.assign(counted, { calls: 0, bytes: 0 });
      return taken;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const version = () => String(Math.floor(Date.now() / 250));

function ledger() {
  return {
    chain_id: 4,
    epoch: "1",
    ledger_version: version(),
    oldest_ledger_version: "0",
    ledger_timestamp: `${Date.now()}000`,
    node_role: "full_node",
    oldest_block_height: "0",
    block_height: version(),
    git_hash: "",
  };
}

function headers() {
  return {
    "X-NODE-CHAIN-ID": "4",
    "X-NODE-LEDGER-VERSION": version(),
    "X-NODE-LEDGER-OLDEST-VERSION": "0",
    "X-NODE-LEDGER-TIMESTAMPUSEC": `${Date.now()}000`,
    "X-NODE-EPOCH": "1",
    "X-NODE-BLOCK-HEIGHT": version(),
    "X-NODE-OLDEST-BLOCK-HEIGHT": "0",
  };
}
