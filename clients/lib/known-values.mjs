/**
 * Copies an API document with parameter values that exist on a chain. Random hashes and addresses alone would only give
 * 400 and 404.
 */
export function offering(document, values) {
  const parameters = { ...document.components.parameters };
  for (const [name, known] of Object.entries(values)) {
    const { example: _, ...parameter } = parameters[name];
    parameters[name] = { ...parameter, schema: { anyOf: [{ enum: known }, parameter.schema] } };
  }
  const copy = structuredClone({ ...document, components: { ...document.components, parameters } });
  for (const { post } of Object.values(copy.paths)) {
    for (const [type, media] of Object.entries(post?.requestBody.content ?? {})) {
      const known = type.endsWith("view_function+bcs") ? BCS_VIEW : media.example;
      if (known !== undefined) media.schema = { anyOf: [{ enum: [known] }, media.schema] };
    }
  }
  return copy;
}

/** BCS of the call `0x1::chain_id::get` without arguments, whose bytes are all ASCII. */
const BCS_VIEW = `${"\0".repeat(31)}\x01\x08chain_id\x03get\0\0`;

const MONTHS = ["1999-01", "2025-01", "2026-11", "2040-12"];
const DAYS = MONTHS.map((month) => `${month}-31`);
/** Values of the public document's parameters that exist, and others that nearly do. */
export const PUBLIC_VALUES = {
  ProductId: ["native-staking"],
  RatesId: ["native-staking"],
  Month: MONTHS,
  ...Object.fromEntries(["Date", "From", "To", "HistoryFrom", "HistoryTo"].map((name) => [name, DAYS])),
};

/** Values of the chain behind `product`, by the names of the node document's parameters. */
export async function chainValues(product) {
  const read = async (path) => (await fetch(product.node + path)).json();
  const fund = await fetch(`${product.origin}/mint?address=0xc11e47&amount=1000000`, { method: "POST" });
  const [funded] = await fund.json();
  await read(`/transactions/wait_by_hash/${funded}`);
  const ledger = await read("");
  const transactions = await read("/transactions?limit=10");
  const versions = [0, 1, 2, Number(ledger.ledger_version), Number(ledger.ledger_version) + 1].map(String);
  const numbers = ["0", "1", "2"];
  return {
    Address: ["0x1", "0xa", "0xc11e47", `0x${"0".repeat(63)}1`],
    ResourceType: [
      "0x1::account::Account",
      "0x1::chain_id::ChainId",
      "0x1::coin::CoinInfo<0x1::aptos_coin::AptosCoin>",
      "0x1::stake::ValidatorSet",
    ],
    ModuleName: ["coin", "account", "nothing"],
    AssetType: ["0x1::aptos_coin::AptosCoin", "0xa", "0x1"],
    CreationNumber: numbers,
    EventHandle: ["0x1::block::BlockResource", "0x1::reconfiguration::Configuration"],
    FieldName: ["new_block_events", "events"],
    TxnHash: [...transactions.map(({ hash }) => hash), transactions[0].hash.slice(2)],
    TxnVersion: versions,
    BlockHeight: ["0", "1", ledger.block_height],
    BlockOfVersion: versions,
    LedgerVersion: versions,
    StartVersion: versions,
    StartSequence: numbers,
  };
}
