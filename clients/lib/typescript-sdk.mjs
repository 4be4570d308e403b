import assert from "node:assert/strict";

const COIN = "0x1::aptos_coin::AptosCoin";
const FUNDS = 1_000_000_000;
const DEVELOPMENT = `0x${"de5".padStart(64, "0")}`;

/** Scenario of the TypeScript SDK, in calls that its majors share. */
export function typescriptSdk(sdk, { origin, node }) {
  const { Account, Aptos, AptosConfig, Ed25519PrivateKey, Network } = sdk;
  const aptos = new Aptos(new AptosConfig({ network: Network.CUSTOM, fullnode: node, faucet: origin }));

  async function funded() {
    const account = Account.generate();
    const { accountAddress } = account;
    await aptos.fundAccount({ accountAddress, amount: FUNDS, options: { waitForIndexer: false } });
    return account;
  }
  const build = (sender, functionArguments = ["0x1", 1], options = {}, more = {}) =>
    aptos.transaction.build.simple({
      sender: sender.accountAddress,
      data: { function: "0x1::aptos_account::transfer", functionArguments },
      options,
      ...more,
    });
  const wait = ({ hash }) => aptos.waitForTransaction({ transactionHash: hash, options: { waitForIndexer: false } });
  const send = async (signer, transaction) => wait(await aptos.signAndSubmitTransaction({ signer, transaction }));
  const call = async (signer, name, functionArguments) =>
    send(
      signer,
      await aptos.transaction.build.simple({
        sender: signer.accountAddress,
        data: { function: name, functionArguments },
      }),
    );
  const coins = async (owner, asset) =>
    aptos.getBalance === undefined
      ? Number((await view(`0x1::coin::balance`, [owner], [asset]))[0])
      : aptos.getBalance({ accountAddress: owner, asset });
  const view = (name, functionArguments, typeArguments = []) =>
    aptos.view({ payload: { function: name, typeArguments, functionArguments } });

  /** Older majors follow the cursor themselves; newer ones have a call for one page. */
  async function modulesByFive() {
    const request = (cursor) => ({ accountAddress: "0x1", options: { limit: 5, ...(cursor && { cursor }) } });
    if (aptos.getAccountModulesPage === undefined) return aptos.getAccountModules(request());
    const all = [];
    let cursor;
    do {
      const page = await aptos.getAccountModulesPage(request(cursor));
      all.push(...page.modules);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return all;
  }

  return {
    ledger: async () => {
      assert.equal((await aptos.getLedgerInfo()).chain_id, 4);
      assert.equal((await aptos.getGasPriceEstimation()).gas_estimate, 100);
    },
    fund: async () => {
      const { accountAddress } = await funded();
      assert.equal(await coins(accountAddress, COIN), FUNDS);
    },
    account: async () => {
      const { accountAddress } = await funded();
      assert.equal((await aptos.getAccountInfo({ accountAddress })).sequence_number, "0");
      const resource = { accountAddress, resourceType: "0x1::account::Account" };
      assert.equal((await aptos.getAccountResource(resource)).sequence_number, "0");
      const module = await aptos.getAccountModule({ accountAddress: "0x1", moduleName: "coin" });
      assert.ok(module.abi.exposed_functions.some(({ name }) => name === "balance"));
    },
    pages: async () => {
      const modules = await modulesByFive();
      assert.ok(new Set(modules.map(({ abi }) => abi.name)).size > 20);
    },
    balance: async () => {
      const { accountAddress } = await funded();
      assert.equal(await coins(accountAddress, COIN), FUNDS);
      if (aptos.getBalance === undefined) return;
      assert.equal(await coins(accountAddress, "0xa"), FUNDS);
      assert.equal(await coins(Account.generate().accountAddress, "0xa"), 0);
    },
    transfer: async () => {
      const sender = await funded();
      const committed = await send(sender, await build(sender));
      assert.equal(committed.success, true);
      assert.equal((await aptos.getAccountInfo(sender)).sequence_number, "1");
    },
    failure: async () => {
      const sender = await funded();
      await assert.rejects(send(sender, await build(sender, ["0x1", 2 * FUNDS])), /EINSUFFICIENT_BALANCE/);
    },
    stale: async () => {
      const sender = await funded();
      const stale = await build(sender, ["0x1", 2], { accountSequenceNumber: 0 });
      await send(sender, await build(sender));
      await assert.rejects(send(sender, stale), /SEQUENCE_NUMBER_TOO_OLD/);
    },
    simulate: async () => {
      const sender = await funded();
      const [result] = await aptos.transaction.simulate.simple({
        signerPublicKey: sender.publicKey,
        transaction: await build(sender),
      });
      assert.equal(result.success, true);
    },
    simulateSponsored: async () => {
      const sender = await funded();
      const [result] = await aptos.transaction.simulate.simple({
        signerPublicKey: sender.publicKey,
        transaction: await build(sender, ["0x1", 1], {}, { withFeePayer: true }),
        options: { estimateMaxGasAmount: true, estimateGasUnitPrice: true },
      });
      assert.equal(result.success, true, result.vm_status);
    },
    asset: async () => {
      const [sender, { accountAddress: recipient }] = [await funded(), Account.generate()];
      const transaction = await aptos.transferFungibleAsset({
        sender,
        fungibleAssetMetadataAddress: "0xa",
        recipient,
        amount: 7,
      });
      assert.equal((await send(sender, transaction)).success, true);
      const metadata = ["0x1::fungible_asset::Metadata"];
      assert.deepEqual(await view("0x1::primary_fungible_store::balance", [recipient, "0xa"], metadata), ["7"]);
      assert.equal(await coins(recipient, COIN), 7);
    },
    sponsored: async () => {
      const [sender, sponsor] = [await funded(), await funded()];
      const transaction = await build(sender, ["0x1", 1], {}, { withFeePayer: true });
      const senderAuthenticator = aptos.transaction.sign({ signer: sender, transaction });
      const feePayerAuthenticator = aptos.transaction.signAsFeePayer({ signer: sponsor, transaction });
      await wait(await aptos.transaction.submit.simple({ transaction, senderAuthenticator, feePayerAuthenticator }));
      assert.equal(await coins(sender.accountAddress, COIN), FUNDS - 1);
    },
    multiAgent: async () => {
      const [first, second] = [await funded(), await funded()];
      const transaction = await aptos.transaction.build.multiAgent({
        sender: first.accountAddress,
        secondarySignerAddresses: [second.accountAddress],
        data: { function: `${DEVELOPMENT}::exchange::swap`, functionArguments: [5, 3] },
      });
      const [senderAuthenticator, other] = [first, second].map((signer) =>
        aptos.transaction.sign({ signer, transaction }),
      );
      const additionalSignersAuthenticators = [other];
      await wait(
        await aptos.transaction.submit.multiAgent({
          transaction,
          senderAuthenticator,
          additionalSignersAuthenticators,
        }),
      );
      assert.equal(await coins(second.accountAddress, COIN), FUNDS + 2);
    },
    transactions: async () => {
      const sender = await funded();
      const committed = await send(sender, await build(sender));
      const ledgerVersion = Number(committed.version);
      assert.deepEqual(await aptos.getTransactionByVersion({ ledgerVersion }), committed);
      assert.deepEqual(await aptos.getTransactionByHash({ transactionHash: committed.hash }), committed);
      const block = await aptos.getBlockByVersion({ ledgerVersion, options: { withTransactions: true } });
      assert.ok(block.transactions.some(({ hash }) => hash === committed.hash));
      assert.deepEqual(await aptos.getAccountTransactions({ accountAddress: sender.accountAddress }), [committed]);
    },
    view: async () => {
      const { accountAddress } = await funded();
      assert.deepEqual(await view("0x1::coin::balance", [accountAddress], [COIN]), [String(FUNDS)]);
      await assert.rejects(view("0x1::coin::nothing", []));
    },
    table: async () => {
      const owner = await funded();
      await call(owner, `${DEVELOPMENT}::table_demo::put`, [7, "seven"]);
      const { simple } = await aptos.getAccountResource({
        accountAddress: owner.accountAddress,
        resourceType: `${DEVELOPMENT}::table_demo::Notebook`,
      });
      const data = { key_type: "u64", value_type: "0x1::string::String", key: "7" };
      assert.equal(await aptos.getTableItem({ handle: simple.handle, data }), "seven");
    },
    rotate: async () => {
      const account = await funded();
      const key = Ed25519PrivateKey.generate();
      const authenticationKey = Account.fromPrivateKey({ privateKey: key }).accountAddress.toString();
      const find = async () => (await aptos.lookupOriginalAccountAddress({ authenticationKey })).toString();
      assert.equal(await find(), authenticationKey);
      // Older majors submit the transaction themselves.
      const made = await aptos.rotateAuthKey({ fromAccount: account, toNewPrivateKey: key });
      await (made.hash === undefined ? send(account, made) : wait(made));
      assert.equal(await find(), account.accountAddress.toString());
      const rotated = Account.fromPrivateKey({ privateKey: key, address: account.accountAddress });
      await send(rotated, await build(rotated));
    },
    localHash: async () => {
      const sender = await funded();
      const transaction = await build(sender);
      const senderAuthenticator = aptos.transaction.sign({ signer: sender, transaction });
      const { hash } = await aptos.transaction.submit.simple({ transaction, senderAuthenticator });
      assert.equal(hash, sdk.generateUserTransactionHash({ transaction, senderAuthenticator }));
      await wait({ hash });
    },
  };
}
