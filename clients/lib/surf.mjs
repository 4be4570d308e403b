import assert from "node:assert/strict";
import { Account, Aptos, AptosConfig, Network } from "@aptos-labs/ts-sdk";
import { createEntryPayload, createSurfClient, createViewPayload } from "@thalalabs/surf";

const COIN = "0x1::aptos_coin::AptosCoin";
const FUNDS = 1_000_000_000;

/** The scenario of surf: calls made from an ABI, which is read from the node here instead of being pasted. */
export function surf({ origin, node }) {
  const aptos = new Aptos(new AptosConfig({ network: Network.CUSTOM, fullnode: node, faucet: origin }));
  const client = createSurfClient(aptos);
  const abi = async (moduleName) => (await aptos.getAccountModule({ accountAddress: "0x1", moduleName })).abi;

  async function funded() {
    const account = Account.generate();
    const { accountAddress } = account;
    await aptos.fundAccount({ accountAddress, amount: FUNDS, options: { waitForIndexer: false } });
    return account;
  }

  return {
    view: async () => {
      const owner = (await funded()).accountAddress.toString();
      const coin = await abi("coin");
      const call = { functionArguments: [owner], typeArguments: [COIN] };
      assert.deepEqual(await client.useABI(coin).view.balance(call), [String(FUNDS)]);
      assert.equal(createViewPayload(coin, { function: "balance", ...call }).function, "0x1::coin::balance");
    },
    transfer: async () => {
      const account = await funded();
      const aptosAccount = await abi("aptos_account");
      const call = { functionArguments: ["0x1", 1], typeArguments: [] };
      const { hash } = await client.useABI(aptosAccount).entry.transfer({ ...call, account });
      const committed = await aptos.waitForTransaction({ transactionHash: hash, options: { waitForIndexer: false } });
      assert.equal(committed.success, true);
      const payload = createEntryPayload(aptosAccount, { function: "transfer", ...call });
      assert.equal(payload.function, "0x1::aptos_account::transfer");
    },
    simulate: async () => {
      const { publicKey, accountAddress: sender } = await funded();
      const payload = createEntryPayload(await abi("aptos_account"), {
        function: "transfer",
        functionArguments: ["0x1", 1],
        typeArguments: [],
      });
      assert.equal((await client.simulateTransaction({ publicKey, sender, payload })).success, true);
    },
    asset: async () => {
      const stores = client.useABI(await abi("primary_fungible_store"));
      const typeArguments = ["0x1::fungible_asset::Metadata"];
      const recipient = Account.generate().accountAddress.toString();
      const call = { functionArguments: ["0xa", recipient, 7], typeArguments, account: await funded() };
      const { hash } = await stores.entry.transfer(call);
      await aptos.waitForTransaction({ transactionHash: hash, options: { waitForIndexer: false } });
      assert.deepEqual(await stores.view.balance({ functionArguments: [recipient, "0xa"], typeArguments }), ["7"]);
    },
    account: async () => {
      const { accountAddress } = await funded();
      const resource = await client
        .useABI(await abi("account"))
        .resource.Account({ account: accountAddress.toString(), typeArguments: [] });
      assert.equal(resource.sequence_number, "0");
    },
  };
}
