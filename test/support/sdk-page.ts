import { Account, Aptos, AptosConfig, Ed25519PrivateKey, Network } from "@aptos-labs/ts-sdk";

/** Acts as a wallet's page with the public SDK; runs in the browser. */
async function transferInPage(origin: string, privateKey: string, to: string): Promise<unknown> {
  const fullnode = `${origin}/v1`;
  const aptos = new Aptos(new AptosConfig({ network: Network.CUSTOM, fullnode, faucet: origin }));
  const sender = Account.fromPrivateKey({ privateKey: new Ed25519PrivateKey(privateKey) });
  const funding = { amount: 1_000_000_000, options: { waitForIndexer: false } };
  await aptos.fundAccount({ accountAddress: sender.accountAddress, ...funding });
  const transaction = await aptos.transaction.build.simple({
    sender: sender.accountAddress,
    data: { function: "0x1::aptos_account::transfer", functionArguments: [to, 1_000] },
  });
  const [simulated] = await aptos.transaction.simulate.simple({ signerPublicKey: sender.publicKey, transaction });
  const pending = await aptos.signAndSubmitTransaction({ signer: sender, transaction });
  const committed = await aptos.waitForTransaction({ transactionHash: pending.hash });
  const balance = await aptos.getBalance({ accountAddress: to, asset: "0x1::aptos_coin::AptosCoin" });
  // A page can read the cursor only if the header is exposed. The Worker's types lack a browser's credentials.
  const init: RequestInit & { credentials: string } = { credentials: "include" };
  const resources = await fetch(`${fullnode}/accounts/0x1/resources?limit=1`, init);
  return {
    simulated: simulated?.success,
    committed: committed.success,
    balance,
    cursor: resources.headers.get("X-APTOS-CURSOR") !== null,
    limit: resources.headers.get("RateLimit")?.startsWith("node;") ?? false,
  };
}

Object.assign(globalThis, { transferInPage });
