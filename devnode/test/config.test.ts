import { expect, test } from "vitest";
import { parseNodeConfig } from "../config.ts";

test("an empty environment has the documented defaults", () => {
  expect(parseNodeConfig({ CHAIN_ID: "", UNRELATED: 7 })).toEqual({
    kind: "config",
    config: {
      chainId: 4,
      transactionHash: "specification",
      headerPrefix: "X-NODE-",
      revision: "local",
      statelessAccounts: false,
      pruneWindow: 1_000_000,
      blockMs: 250,
      heartbeatSeconds: 10,
      epochSeconds: 7_200,
      mempoolCapacity: 20_000,
      mempoolPerAccount: 100,
      mempoolSeconds: 600,
      genesisSupply: 100_000_000_000_000_000n,
      genesisSymbol: "NATIVE",
      genesisName: "Native Coin",
      genesisDecimals: 8,
      genesisWallets: [],
    },
  });
});

test.each([
  ["CHAIN_ID", "0"],
  ["CHAIN_ID", "256"],
  ["CHAIN_ID", "four"],
  ["CHAIN_ID", 4],
  ["TRANSACTION_HASH", "raw"],
  ["GENESIS_SYMBOL", "ELEVENBYTES"],
  ["GENESIS_SYMBOL", "A B"],
  ["NODE_HEADER_PREFIX", "X-NODE"],
  ["STATELESS_ACCOUNTS", "true"],
  ["PRUNE_WINDOW", "9"],
  ["BLOCK_MS", "-1"],
  ["BLOCK_MS", "1e3"],
  ["HEARTBEAT_SECONDS", "0"],
  ["EPOCH_SECONDS", "1.5"],
  ["MEMPOOL_CAPACITY", "9"],
  ["MEMPOOL_PER_ACCOUNT", "9"],
  ["GENESIS_SUPPLY", "1000000000.5"],
  ["GENESIS_SUPPLY", "340282366920938463463374607431768211456"],
  ["GENESIS_SUPPLY", "19999"],
  ["GENESIS_DECIMALS", "23"],
  ["GENESIS_NAME", "a name of more than thirty-two bytes"],
  ["GENESIS_NAME", "line\nbreak"],
  ["GENESIS_WALLETS", "account:0xc0"],
  ["GENESIS_WALLETS", "safe:0xc0:1"],
  ["GENESIS_WALLETS", "account:c0ffee!:1"],
  ["GENESIS_WALLETS", "account:0xc0:-1"],
  ["GENESIS_WALLETS", "account:0xc0:1,account:0x00c0:2"],
  ["GENESIS_WALLETS", "delegation:0xc0:1"],
  ["GENESIS_WALLETS", "delegation:0xc0:1:pool"],
  ["GENESIS_WALLETS", "account:0xc0:1:0xd0"],
  ["GENESIS_WALLETS", "delegation:0xc0:1:0xd0,delegation:0xc0:2:0x0d0"],
  ["GENESIS_WALLETS", "account:0xc0:99999999999999999"],
])("%s = %j is refused by name", (name, value) => {
  const parsed = parseNodeConfig({ [name]: value });
  expect(parsed).toMatchObject({ kind: "problems", problems: [expect.stringContaining(name)] });
});

test("every problem is reported at once", () => {
  const parsed = parseNodeConfig({ CHAIN_ID: "x", BLOCK_MS: "y", TRANSACTION_HASH: "z" });
  expect(parsed.kind === "problems" && parsed.problems.length).toBe(3);
});
