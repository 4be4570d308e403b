import assert from "node:assert/strict";
import { AptosAccount, AptosClient, BCS, CoinClient, FaucetClient, TxnBuilderTypes } from "aptos";

const FUNDS = 1_000_000_000;
const PAYLOAD = { function: "0x1::aptos_account::transfer", type_arguments: [], arguments: ["0x1", 1] };

/** The scenario of the legacy package `aptos`, whose last release still runs in many backends. */
export function aptosPackage({ origin, node }) {
  const client = new AptosClient(node);
  const faucet = new FaucetClient(node, origin);
  const coins = new CoinClient(client);

  async function funded() {
    const account = new AptosAccount();
    await faucet.fundAccount(account.address(), FUNDS);
    return account;
  }
  async function send(account, payload, options) {
    const raw = await client.generateTransaction(account.address(), payload, options);
    const { hash } = await client.submitTransaction(await client.signTransaction(account, raw));
    return client.waitForTransactionWithResult(hash, { checkSuccess: true });
  }

  return {
    ledger: async () => {
      assert.equal((await client.getLedgerInfo()).chain_id, 4);
      assert.equal((await client.estimateGasPrice()).gas_estimate, 100);
    },
    fund: async () => assert.equal(await coins.checkBalance(await funded()), BigInt(FUNDS)),
    account: async () => {
      const address = (await funded()).address();
      assert.equal((await client.getAccount(address)).sequence_number, "0");
      assert.equal((await client.getAccountResource(address, "0x1::account::Account")).data.sequence_number, "0");
      assert.equal((await client.getAccountModule("0x1", "coin")).abi.name, "coin");
    },
    pages: async () => assert.ok((await client.getAccountModules("0x1")).length > 20),
    balance: async () => assert.equal(await coins.checkBalance(await funded()), BigInt(FUNDS)),
    transfer: async () => assert.equal((await send(await funded(), PAYLOAD)).success, true),
    failure: async () => {
      const payload = { ...PAYLOAD, arguments: ["0x1", 2 * FUNDS] };
      await assert.rejects(send(await funded(), payload), /EINSUFFICIENT_BALANCE/);
    },
    stale: async () => {
      const account = await funded();
      await send(account, PAYLOAD);
      await assert.rejects(send(account, PAYLOAD, { sequence_number: "0" }), /SEQUENCE_NUMBER_TOO_OLD/);
    },
    simulate: async () => {
      const account = await funded();
      const raw = await client.generateTransaction(account.address(), PAYLOAD);
      const [result] = await client.simulateTransaction(account, raw);
      assert.equal(result.success, true);
    },
    asset: async () => {
      const type_arguments = ["0x1::fungible_asset::Metadata"];
      const recipient = new AptosAccount().address().hex();
      const payload = { function: "0x1::primary_fungible_store::transfer", type_arguments };
      await send(await funded(), { ...payload, arguments: ["0xa", recipient, 7] });
      const request = { function: "0x1::primary_fungible_store::balance", type_arguments };
      assert.deepEqual(await client.view({ ...request, arguments: [recipient, "0xa"] }), ["7"]);
    },
    sponsored: async () => {
      const [sender, sponsor] = [await funded(), await funded()];
      const raw = await client.generateFeePayerTransaction(sender.address(), PAYLOAD, sponsor.address());
      const [bySender, bySponsor] = await Promise.all(
        [sender, sponsor].map((signer) => client.signMultiTransaction(signer, raw)),
      );
      const { hash } = await client.submitFeePayerTransaction(raw, bySender, bySponsor);
      await client.waitForTransaction(hash, { checkSuccess: true });
      assert.equal(await coins.checkBalance(sender), BigInt(FUNDS - 1));
    },
    multiAgent: async () => {
      const [first, second] = [await funded(), await funded()];
      const payload = { function: "0xde5::exchange::swap", type_arguments: [], arguments: ["5", "3"] };
      const raw = new TxnBuilderTypes.MultiAgentRawTransaction(
        await client.generateTransaction(first.address(), payload),
        [TxnBuilderTypes.AccountAddress.fromHex(second.address())],
      );
      const [byFirst, bySecond] = await Promise.all(
        [first, second].map((signer) => client.signMultiTransaction(signer, raw)),
      );
      const authenticator = new TxnBuilderTypes.TransactionAuthenticatorMultiAgent(
        byFirst,
        raw.secondary_signer_addresses,
        [bySecond],
      );
      const signed = new TxnBuilderTypes.SignedTransaction(raw.raw_txn, authenticator);
      const { hash } = await client.submitTransaction(BCS.bcsToBytes(signed));
      await client.waitForTransaction(hash, { checkSuccess: true });
      assert.equal(await coins.checkBalance(second), BigInt(FUNDS + 2));
    },
    localHash: async () => {
      const account = await funded();
      const raw = await client.generateTransaction(account.address(), PAYLOAD);
      const signed = await client.signTransaction(account, raw);
      const { hash } = await client.submitTransaction(signed);
      const decoded = TxnBuilderTypes.SignedTransaction.deserialize(new BCS.Deserializer(signed));
      const computed = new TxnBuilderTypes.UserTransaction(decoded).hash();
      assert.equal(hash, `0x${Buffer.from(computed).toString("hex")}`);
    },
    transactions: async () => {
      const account = await funded();
      const committed = await send(account, PAYLOAD);
      assert.deepEqual(await client.getTransactionByVersion(Number(committed.version)), committed);
      const block = await client.getBlockByVersion(Number(committed.version), true);
      assert.ok(block.transactions.some(({ hash }) => hash === committed.hash));
      assert.deepEqual(await client.getAccountTransactions(account.address()), [committed]);
    },
    view: async () => {
      const address = (await funded()).address().hex();
      const type_arguments = ["0x1::aptos_coin::AptosCoin"];
      const request = { function: "0x1::coin::balance", type_arguments, arguments: [address] };
      assert.deepEqual(await client.view(request), [String(FUNDS)]);
    },
    table: async () => {
      const account = await funded();
      await send(account, { function: "0xde5::table_demo::put", type_arguments: [], arguments: ["7", "seven"] });
      const { data } = await client.getAccountResource(account.address(), "0xde5::table_demo::Notebook");
      const request = { key_type: "u64", value_type: "0x1::string::String", key: "7" };
      assert.equal(await client.getTableItem(data.simple.handle, request), "seven");
    },
    rotate: async () => {
      const account = await funded();
      const next = new AptosAccount();
      const { hash } = await client.rotateAuthKeyEd25519(account, next.signingKey.secretKey);
      await client.waitForTransaction(hash, { checkSuccess: true });
      const found = await client.lookupOriginalAddress(next.address());
      assert.equal(found.toShortString(), account.address().toShortString());
    },
  };
}
