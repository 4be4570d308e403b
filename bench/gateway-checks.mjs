import { client } from "./lib/client.ts";

export const COIN = "0x1::coin::CoinStore%3C0x1::aptos_coin::AptosCoin%3E";
const LEDGER_FIELDS = [
  "chain-id",
  "ledger-version",
  "ledger-oldest-version",
  "ledger-timestampusec",
  "epoch",
  "block-height",
  "oldest-block-height",
];

/**
 * Checks of correctness that a client of a caching proxy needs, for one subject. Maps each check's name to its result.
 */
export async function checks(url, node, seconds) {
  const { call, close } = client(url, 1);
  const from =
    (caller) =>
    (path, headers = {}) =>
      call(path, { headers: { "CF-Connecting-IP": caller, ...headers } });
  const get = from("198.18.0.1");
  const found = {
    "the node's seven fields on a hit": await fields(get),
    // Runs last, because on a fast machine it uses up its caller's quota.
    "reads with a decreased ledger version, of all reads": await falls(from("198.18.0.2"), seconds),
    "still pending after its commit was read": await pendingStored(get, node),
    "BCS requested after JSON": await mixedUp(get),
    "upstream calls for four forms of an address": await formatted(get, node),
  };
  close();
  return found;
}

async function fields(get) {
  const path = "/v1/transactions/by_version/4000000";
  await get(path);
  await settle();
  const hit = await get(path);
  const stored = LEDGER_FIELDS.filter((name) => hit.fields[`x-node-${name}`] !== undefined);
  return stored.length === LEDGER_FIELDS.length ? "kept" : `**${stored.length} of ${LEDGER_FIELDS.length}**`;
}

/** One caller alternates twenty tip reads and twenty committed ones while the tip advances. */
async function falls(get, seconds) {
  const untilMs = performance.now() + Math.max(2, seconds) * 1_000;
  let [highest, fell, reads] = [0, 0, 0];
  while (performance.now() < untilMs) {
    const number = Math.floor(Math.random() * 20);
    const isTip = reads % 2 === 0;
    const path = isTip
      ? `/v1/accounts/0x${number + 1_024}/resource/${COIN}`
      : `/v1/transactions/by_version/${5_000_000 + number}`;
    const { status, fields: named } = await get(path);
    // On a fast machine the quota is used up before the time ends.
    if (status === 429 && reads > 0) break;
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    const version = Number(named["x-node-ledger-version"] ?? 0);
    if (version < highest) fell++;
    highest = Math.max(highest, version);
    reads++;
  }
  const text = `${fell.toLocaleString("en-US")} of ${reads.toLocaleString("en-US")}`;
  return fell === 0 ? text : `**${text}**`;
}

/** Reads a transaction while it is pending and again after its commit, by a caller who has seen a later version. */
async function pendingStored(get, node) {
  const path = `/v1/transactions/by_hash/0x${"ab".repeat(32)}`;
  const before = JSON.parse(String((await get(path)).body));
  if (before.type !== "pending_transaction") throw new Error("the transaction is not pending");
  await settle();
  node.commit(`0x${"ab".repeat(32)}`);
  await get("/v1/transactions/by_version/6000000");
  const after = JSON.parse(String((await get(path)).body));
  node.uncommit(`0x${"ab".repeat(32)}`);
  return after.type === "pending_transaction" ? "**yes**" : "no";
}

async function mixedUp(get) {
  const path = `/v1/transactions/by_version/7000000`;
  await get(path, { Accept: "application/json" });
  await settle();
  const { fields: named } = await get(path, { Accept: "application/x-bcs" });
  return named["content-type"]?.startsWith("application/x-bcs") ? "BCS" : "**JSON**";
}

async function formatted(get, node) {
  const at = (address) => `/v1/accounts/${address}/resource/${COIN}?ledger_version=8000000`;
  node.take();
  for (const address of ["0xbeef", "0xBEEF", "beef", `0x${"beef".padStart(64, "0")}`]) await get(at(address));
  const { calls, ledgerCalls } = node.take();
  return String(calls - ledgerCalls);
}

/** Waits until values are stored that are written after the response. */
function settle() {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
