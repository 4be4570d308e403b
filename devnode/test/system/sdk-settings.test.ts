import { Account, Aptos, AptosConfig, generateUserTransactionHash, Network } from "@aptos-labs/ts-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mint, type RunningNode, startNode } from "../../../test/support/devnode.ts";

/** The embedded node with the settings of the chains that the public SDK is made for. */
let node: RunningNode;
let aptos: Aptos;

beforeAll(async () => {
  node = await startNode({ TRANSACTION_HASH: "signed", NODE_HEADER_PREFIX: "X-APTOS-", CHAIN_ID: "77" });
  aptos = new Aptos(new AptosConfig({ network: Network.CUSTOM, fullnode: node.url }));
});

afterAll(() => node.close());

test("the SDK and the node compute the same transaction hash", async () => {
  const sender = Account.generate();
  await mint(node, sender.accountAddress.toString(), 1_000_000_000n);
  const transaction = await aptos.transaction.build.simple({
    sender: sender.accountAddress,
    data: { function: "0x1::aptos_account::transfer", functionArguments: ["0x1", 1] },
  });
  const senderAuthenticator = aptos.transaction.sign({ signer: sender, transaction });
  const { hash } = await aptos.transaction.submit.simple({ transaction, senderAuthenticator });
  expect(hash).toBe(generateUserTransactionHash({ transaction, senderAuthenticator }));
  expect(await aptos.waitForTransaction({ transactionHash: hash })).toMatchObject({ success: true, hash });
});

test("the SDK reads a page's cursor, and the next page continues there", async () => {
  const accountAddress = "0x1";
  const first = await aptos.getAccountModulesPage({ accountAddress, options: { limit: 3 } });
  expect(first.cursor).toMatch(/^[0-9a-f]+$/);
  const options = { limit: 3, ...(first.cursor === undefined ? {} : { cursor: first.cursor }) };
  const second = await aptos.getAccountModulesPage({ accountAddress, options });
  const names = [...first.modules, ...second.modules].map(({ abi }) => abi?.name);
  expect(new Set(names).size).toBe(6);
});
