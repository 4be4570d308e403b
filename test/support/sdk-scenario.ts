import {
  Account,
  Aptos,
  AptosConfig,
  type CommittedTransactionResponse,
  Ed25519PrivateKey,
  Ed25519PublicKey,
  MultiEd25519Account,
  MultiEd25519PublicKey,
  MultiKeyAccount,
  Network,
  SigningSchemeInput,
  type UserTransactionResponse,
} from "@aptos-labs/ts-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mint, type RunningNode } from "./devnode.ts";

const COIN = "0x1::aptos_coin::AptosCoin";
const TRANSFER = "0x1::aptos_account::transfer";
/** The SDK refuses short forms of addresses that are not reserved. */
const DEMO = `0x${"de5".padStart(64, "0")}::table_demo` as const;
const SWAP = `0x${"de5".padStart(64, "0")}::exchange::swap` as const;
const FUNDS = 1_000_000_000n;

let node: RunningNode;
let aptos: Aptos;

/** Tests accounts and transactions with the unmodified public SDK against a node from `start`. */
export function sdkScenario(start: () => Promise<RunningNode>): void {
  beforeAll(async () => {
    node = await start();
    aptos = new Aptos(new AptosConfig({ network: Network.CUSTOM, fullnode: node.url, faucet: node.origin }));
  });

  afterAll(() => node.close());

  async function funded<A extends { accountAddress: { toString(): string } }>(account: A): Promise<A> {
    await mint(node, account.accountAddress.toString(), FUNDS);
    return account;
  }

  /** Transfers 1,000 to a fresh address. */
  async function transfer(sender: Account): Promise<UserTransactionResponse> {
    const to = Account.generate().accountAddress;
    const transaction = await aptos.transaction.build.simple({
      sender: sender.accountAddress,
      data: { function: TRANSFER, functionArguments: [to, 1_000] },
    });
    // The SDK supports no zeroed multi-ed25519 signature: without a key it simulates with no_account_signature.
    const key = sender instanceof MultiEd25519Account ? {} : { signerPublicKey: sender.publicKey };
    const [simulated] = await aptos.transaction.simulate.simple({ ...key, transaction });
    expect(simulated).toMatchObject({ success: true, vm_status: "Executed successfully" });
    const pending = await aptos.signAndSubmitTransaction({ signer: sender, transaction });
    const committed = userTransaction(await aptos.waitForTransaction({ transactionHash: pending.hash }));
    expect(committed).toMatchObject({ success: true, hash: pending.hash, gas_used: simulated?.gas_used });
    expect(await aptos.getBalance({ accountAddress: to, asset: COIN })).toBe(1_000);
    return committed;
  }

  test("a sequence number that is read after one was refused as too old is the next one", async () => {
    const sender = await funded(Account.generate());
    const { accountAddress } = sender;
    const sequenceNumber = async () => (await aptos.getAccountInfo({ accountAddress })).sequence_number;
    for (let next = 0; next < 3; next += 1) {
      expect(await sequenceNumber()).toBe(String(next));
      const transaction = await aptos.transaction.build.simple({
        sender: accountAddress,
        data: { function: TRANSFER, functionArguments: [accountAddress, 1] },
      });
      const senderAuthenticator = aptos.transaction.sign({ signer: sender, transaction });
      const submit = () => aptos.transaction.submit.simple({ transaction, senderAuthenticator });
      // The node accepts an equal transaction again while it is pending.
      const submitUntilRefused = async (): Promise<void> => submit().then(submitUntilRefused);
      await expect(submitUntilRefused()).rejects.toThrow(/SEQUENCE_NUMBER_TOO_OLD/);
    }
  });

  function userTransaction(transaction: CommittedTransactionResponse): UserTransactionResponse {
    if (!("sender" in transaction)) throw new Error(`${transaction.type} is not a user's`);
    return transaction;
  }

  const privateKeys = [3, 4, 5].map((byte) => new Ed25519PrivateKey(new Uint8Array(32).fill(byte)));

  const SENDERS: readonly (readonly [kind: string, make: () => Account, signatureType: string])[] = [
    ["ed25519, legacy", () => Account.generate(), "ed25519_signature"],
    [
      "ed25519, single key",
      () => Account.generate({ scheme: SigningSchemeInput.Ed25519, legacy: false }),
      "single_sender",
    ],
    ["secp256k1", () => Account.generate({ scheme: SigningSchemeInput.Secp256k1Ecdsa }), "single_sender"],
    [
      "multi-ed25519, 2 of 3",
      () =>
        new MultiEd25519Account({
          publicKey: new MultiEd25519PublicKey({
            publicKeys: privateKeys.map((key) => new Ed25519PublicKey(key.publicKey().toUint8Array())),
            threshold: 2,
          }),
          signers: privateKeys.slice(0, 2),
        }),
      "multi_ed25519_signature",
    ],
    [
      "multi-key, 2 of 3 of two kinds",
      () => {
        const [first, second, third] = [
          Account.generate({ scheme: SigningSchemeInput.Ed25519, legacy: false }),
          Account.generate({ scheme: SigningSchemeInput.Secp256k1Ecdsa }),
          Account.generate(),
        ];
        return MultiKeyAccount.fromPublicKeysAndSigners({
          publicKeys: [first.publicKey, second.publicKey, third.publicKey],
          signaturesRequired: 2,
          signers: [first, second],
        });
      },
      "single_sender",
    ],
  ];

  test.each(SENDERS)("%s: build, simulate, sign, submit, wait", async (_kind, make, signatureType) => {
    const sender = await funded(make());
    const committed = await transfer(sender);
    expect(committed.signature?.type).toBe(signatureType);
    expect(committed.sender).toBe(shortened(sender.accountAddress.toString()));
  });

  /** Removes leading zeros, which the SDK's own form has and responses have not. */
  function shortened(address: string): string {
    return `0x${address.replace(/^0x0*/, "")}`;
  }

  test("multi-agent: two accounts sign one transaction", async () => {
    const [sender, second] = [await funded(Account.generate()), await funded(Account.generate())];
    const transaction = await aptos.transaction.build.multiAgent({
      sender: sender.accountAddress,
      secondarySignerAddresses: [second.accountAddress],
      data: { function: SWAP, functionArguments: [70, 30] },
    });
    const [simulated] = await aptos.transaction.simulate.multiAgent({
      transaction,
      signerPublicKey: sender.publicKey,
      secondarySignersPublicKeys: [second.publicKey],
    });
    expect(simulated).toMatchObject({ success: true, signature: { type: "multi_agent_signature" } });
    const pending = await aptos.transaction.submit.multiAgent({
      transaction,
      senderAuthenticator: aptos.transaction.sign({ signer: sender, transaction }),
      additionalSignersAuthenticators: [aptos.transaction.sign({ signer: second, transaction })],
    });
    const found = userTransaction(await waited(pending.hash));
    expect(found).toMatchObject({ success: true, signature: { type: "multi_agent_signature" } });
    expect(await balanceOf(second)).toBe(FUNDS + 40n);
  });

  test("fee payer: another account pays for the gas", async () => {
    const [sender, payer] = [await funded(Account.generate()), await funded(Account.generate())];
    const transaction = await aptos.transaction.build.simple({
      sender: sender.accountAddress,
      withFeePayer: true,
      data: { function: TRANSFER, functionArguments: [payer.accountAddress, 7] },
    });
    const [simulated] = await aptos.transaction.simulate.simple({
      transaction,
      signerPublicKey: sender.publicKey,
      feePayerPublicKey: payer.publicKey,
    });
    expect(simulated).toMatchObject({ success: true, signature: { type: "fee_payer_signature" } });
    const senderAuthenticator = aptos.transaction.sign({ signer: sender, transaction });
    const feePayerAuthenticator = aptos.transaction.signAsFeePayer({ signer: payer, transaction });
    const pending = await aptos.transaction.submit.simple({ transaction, senderAuthenticator, feePayerAuthenticator });
    const committed = userTransaction(await waited(pending.hash));
    expect(committed).toMatchObject({ success: true, signature: { type: "fee_payer_signature" } });
    expect(await balanceOf(sender)).toBe(FUNDS - 7n);
    const charged = BigInt(committed.gas_used) * BigInt(committed.gas_unit_price);
    expect(await balanceOf(payer)).toBe(FUNDS + 7n - charged);
  });

  /** Waits until a transaction is committed, whether it succeeded or not. */
  function waited(hash: string): Promise<CommittedTransactionResponse> {
    return aptos.waitForTransaction({ transactionHash: hash, options: { checkSuccess: false } });
  }

  async function balanceOf(account: Account): Promise<bigint> {
    return BigInt(await aptos.getBalance({ accountAddress: account.accountAddress, asset: COIN }));
  }

  test("a transfer of more than there is commits as failed, with the real module, reason and code", async () => {
    const sender = await funded(Account.generate());
    const transaction = await aptos.transaction.build.simple({
      sender: sender.accountAddress,
      data: { function: TRANSFER, functionArguments: ["0x1", FUNDS * 2n] },
      options: { maxGasAmount: 10_000 },
    });
    const pending = await aptos.signAndSubmitTransaction({ signer: sender, transaction });
    await expect(aptos.waitForTransaction({ transactionHash: pending.hash })).rejects.toThrow(/EINSUFFICIENT_BALANCE/);
  });

  test("the chain and its accounts can be read", async () => {
    const info = await aptos.getLedgerInfo();
    expect(info).toMatchObject({ chain_id: 4, node_role: "full_node" });
    const account = await funded(Account.generate());
    await transfer(account);
    const { accountAddress } = account;
    expect(await aptos.getAccountInfo({ accountAddress })).toMatchObject({
      sequence_number: "1",
      authentication_key: accountAddress.toStringLong(),
    });
    const resources = await aptos.getAccountResources({ accountAddress });
    expect(resources.map(({ type }) => type)).toContain("0x1::account::Account");
    expect(await aptos.getAccountResource({ accountAddress, resourceType: "0x1::account::Account" })).toMatchObject({
      sequence_number: "1",
    });
    const modules = await aptos.getAccountModules({ accountAddress: "0x1" });
    expect(modules.map(({ abi }) => abi?.name)).toContain("coin");
    const module = await aptos.getAccountModule({ accountAddress: "0x1", moduleName: "coin" });
    expect(module.abi?.exposed_functions.find(({ name }) => name === "balance")).toMatchObject({ is_view: true });
  });

  test("transactions and blocks can be read by hash, version and height, and listed", async () => {
    const sender = await funded(Account.generate());
    const committed = await transfer(sender);
    const version = Number(committed.version);
    expect(await aptos.getTransactionByHash({ transactionHash: committed.hash })).toEqual(committed);
    expect(await aptos.getTransactionByVersion({ ledgerVersion: version })).toEqual(committed);
    const block = await aptos.getBlockByVersion({ ledgerVersion: version, options: { withTransactions: true } });
    expect(block.transactions?.find((each) => "hash" in each && each.hash === committed.hash)).toEqual(committed);
    expect(await aptos.getBlockByHeight({ blockHeight: Number(block.block_height) })).toMatchObject({
      block_hash: block.block_hash,
    });
    const [listed] = await aptos.getTransactions({ options: { offset: version, limit: 1 } });
    expect(listed).toEqual(committed);
    expect(await aptos.getAccountTransactions({ accountAddress: sender.accountAddress })).toEqual([committed]);
  });

  test("a table item is found under a simple and under a nested key", async () => {
    const owner = await funded(Account.generate());
    const cell = { board: "main", at: { x: "1", y: "2" } };
    await call(owner, `${DEMO}::put`, [7, "seven"]);
    await call(owner, `${DEMO}::put_nested`, ["main", 1, 2, "here", []]);
    const recorder = await aptos.getAccountResource<Recorder>({
      accountAddress: owner.accountAddress,
      resourceType: "0xde5::table_demo::Notebook",
    });
    const simple = { key_type: "u64", value_type: "0x1::string::String", key: "7" };
    expect(await aptos.getTableItem({ handle: recorder.simple.handle, data: simple })).toBe("seven");
    const nested = { key_type: "0xde5::table_demo::Cell", value_type: "0xde5::table_demo::Note", key: cell };
    expect(await aptos.getTableItem({ handle: recorder.nested.handle, data: nested })).toMatchObject({ text: "here" });
  });

  interface Recorder {
    readonly simple: { readonly handle: string };
    readonly nested: { readonly handle: string };
  }

  /** Calls an entry function and waits until it has succeeded. */
  async function call(
    signer: Account,
    name: `${string}::${string}::${string}`,
    functionArguments: (string | number | string[])[],
  ): Promise<void> {
    const transaction = await aptos.transaction.build.simple({
      sender: signer.accountAddress,
      data: { function: name, functionArguments },
    });
    const { hash } = await aptos.signAndSubmitTransaction({ signer, transaction });
    await aptos.waitForTransaction({ transactionHash: hash });
  }

  test("gas, views and balances answer", async () => {
    expect(await aptos.getGasPriceEstimation()).toMatchObject({ gas_estimate: 100 });
    const account = await funded(Account.generate());
    const address = account.accountAddress;
    const balance = await aptos.view({
      payload: { function: "0x1::coin::balance", typeArguments: [COIN], functionArguments: [address] },
    });
    const asText = await aptos.viewJson({
      payload: { function: "0x1::coin::balance", typeArguments: [COIN], functionArguments: [address.toString()] },
    });
    expect([balance, asText]).toEqual([[String(FUNDS)], [String(FUNDS)]]);
    expect(await aptos.getAccountAPTAmount({ accountAddress: account.accountAddress })).toBe(Number(FUNDS));
    expect(await aptos.getAccountCoinAmount({ accountAddress: account.accountAddress, coinType: COIN })).toBe(
      Number(FUNDS),
    );
  });

  test("the SDK's own faucet call works", async () => {
    const { accountAddress } = Account.generate();
    await aptos.fundAccount({ accountAddress, amount: 42, options: { waitForIndexer: false } });
    expect(await aptos.getBalance({ accountAddress, asset: COIN })).toBe(42);
  });
}
