import { FRESH_SECONDS } from "../src/onchain/reader.ts";
import { evmWorld } from "../test/unit/families/evm/evm-world.ts";
import { count, table } from "./lib/figures.mjs";

const WALLETS = [0, 12, 40, 256];
/** Prices of providers for a call, from their own tables; a method without its own price has the default. */
const PROVIDERS = {
  Alchemy: { eth_chainId: 0, eth_getBlockByNumber: 20, eth_call: 26 },
  Infura: { default: 80 },
};
const DAY_SECONDS = 86_400;
const FRESH_NO_MORE_MS = 3_600_000;

/** Measures the cost of reading a token on an EVM chain, counted at nodes that execute the calls in a real EVM. */
export async function evmSection() {
  const rows = [];
  for (const wallets of WALLETS) for (const nodes of [1, 2]) rows.push(await rowOf(wallets, nodes));
  return `## EVM readings

One reading of supply, decimals, chain and every wallet, with the probe before it, and a day of them (a reading is fresh for ${FRESH_SECONDS} s, and is made only while somebody asks). Of two nodes one is a block behind, so that the other is asked for that block too. Bytes are of bodies, at blocks without transactions: each transaction adds 69 bytes to every block that a node sends.

${table(
  [
    "wallets",
    "nodes",
    "calls",
    "bytes to the nodes",
    "bytes back",
    ...Object.keys(PROVIDERS).map((name) => `${name} units`),
    "readings a day",
    "calls a day",
    "bytes a day",
    ...Object.keys(PROVIDERS).map((name) => `${name} units a day`),
  ],
  rows,
)}
`;
}

async function rowOf(wallets, nodeCount) {
  const holders = new Map(
    Array.from({ length: wallets }, (_, index) => [`0x${(index + 0xa00).toString(16).padStart(40, "0")}`, 1n]),
  );
  const { nodes, node, read, time } = await evmWorld(nodeCount, 1, holders);
  // The first reading waits until both nodes are at the tip.
  await read();
  if (nodeCount > 1) node(1).behind = 1;
  const sum = { calls: [], sent: 0, received: 0 };
  for (const each of nodes) {
    const reply = each.reply.bind(each);
    each.reply = async (text) => {
      const answer = await reply(text);
      sum.calls.push(JSON.parse(text).method);
      sum.sent += text.length;
      sum.received += JSON.stringify(answer.body).length;
      return answer;
    };
  }
  await time.pass(FRESH_NO_MORE_MS);
  const reading = await read();
  if (!("value" in reading)) throw new Error(reading.reason);
  const units = Object.values(PROVIDERS).map((prices) =>
    sum.calls.reduce((total, method) => total + (prices[method] ?? prices.default ?? 0), 0),
  );
  const readings = DAY_SECONDS / FRESH_SECONDS;
  return [
    ...[wallets, nodeCount, sum.calls.length, sum.sent, sum.received, ...units].map(count),
    ...[1, sum.calls.length, sum.sent + sum.received, ...units].map((each) => count(each * readings)),
  ];
}
