import { createServer } from "node:http";

const CHAIN_ID = 4;
const FIRST_VERSION = 10_000_000;
const VERSIONS_PER_BLOCK = 10;

/**
 * A minimal node: node-shaped responses of `bodyBytes`, served as fast as possible, each call counted. Its tip
 * rises every `blockMs`.
 */
export async function fastNode({ port, bodyBytes, blockMs }) {
  const startedAtMs = Date.now();
  const state = { calls: 0, ledgerCalls: 0, reportedVersions: new Set(), committed: new Set() };
  const block = () => Math.floor((Date.now() - startedAtMs) / blockMs);
  const server = createServer((request, answer) => {
    const version = FIRST_VERSION + block() * VERSIONS_PER_BLOCK;
    state.calls++;
    state.reportedVersions.add(version);
    const path = decodeURIComponent(request.url.split("?")[0]);
    if (path === "/v1") state.ledgerCalls++;
    const isBcs = request.headers.accept === "application/x-bcs";
    const body = isBcs
      ? Buffer.alloc(bodyBytes, 7)
      : Buffer.from(JSON.stringify(bodyOf(path, version, state, bodyBytes)));
    answer.writeHead(200, {
      ...ledgerFields(version, block()),
      "Content-Type": isBcs ? "application/x-bcs" : "application/json",
      "Content-Length": body.length,
    });
    answer.end(body);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    /** Calls, calls for ledger information among them, and distinct ledger versions reported, since the last time. */
    take: () => {
      const taken = { calls: state.calls, ledgerCalls: state.ledgerCalls, advances: state.reportedVersions.size };
      Object.assign(state, { calls: 0, ledgerCalls: 0, reportedVersions: new Set() });
      return taken;
    },
    /** From now on this transaction is committed; before, it is pending. */
    commit: (hash) => state.committed.add(hash),
    uncommit: (hash) => state.committed.delete(hash),
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function bodyOf(path, version, state, bodyBytes) {
  const [, , kind, second, third, fourth] = path.split("/");
  const filled = (value) => ({
    ...value,
    padding: "x".repeat(Math.max(0, bodyBytes - JSON.stringify(value).length - 13)),
  });
  if (kind === undefined) return { chain_id: CHAIN_ID, ledger_version: String(version) };
  if (kind === "accounts" && third === "resource") return { type: fourth, data: filled({ owner: second }) };
  if (kind === "accounts") return filled({ sequence_number: String(version), authentication_key: second });
  if (second === "by_version")
    return filled({ type: "user_transaction", version: third, hash: hashOf(third), ...OUTCOME });
  const type = state.committed.has(third) ? "user_transaction" : "pending_transaction";
  return filled({
    type,
    hash: third,
    ...(type === "user_transaction" ? { version: String(version), ...OUTCOME } : {}),
  });
}

const OUTCOME = { success: true, vm_status: "Executed successfully" };
const hashOf = (version) => `0x${Number(version).toString(16).padStart(64, "0")}`;

function ledgerFields(version, height) {
  return {
    "X-NODE-CHAIN-ID": CHAIN_ID,
    "X-NODE-LEDGER-VERSION": version,
    "X-NODE-LEDGER-OLDEST-VERSION": 0,
    "X-NODE-LEDGER-TIMESTAMPUSEC": Date.now() * 1_000,
    "X-NODE-EPOCH": 1,
    "X-NODE-BLOCK-HEIGHT": 1_000_000 + height,
    "X-NODE-OLDEST-BLOCK-HEIGHT": 0,
  };
}
