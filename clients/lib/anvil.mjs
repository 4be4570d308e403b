import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import { DECIMALS_SLOT, SUPPLY_SLOT, tokenCode } from "../../test/support/evm/token.ts";
import { chainFinding } from "../../tools/nodes/chain-finding.ts";
import { freePort, startProduct } from "./product.mjs";

const ROOT = join(import.meta.dirname, "..", "..");
const FOLDER = join(ROOT, "test", "fixtures", "editions");
const BIN = join(ROOT, "clients", "node_modules", ".bin", "anvil");
const TOKEN = "0x0000c0ffee254729296a45a3885639ac7e10f9d5";
const CHAIN_ID = 31_337;
const ETHER = 10n ** 18n;
const SUPPLY = 950_000_000n * ETHER + 123_456_789n;
const HOLDERS = [
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", 400_000_000n * ETHER + 1n],
  ["0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359", 3_000_000n * ETHER - 1n],
  ["0x000000000000000000000000000000000000dead", 7n],
];
const READY_SECONDS = 30;
const word = (value) => `0x${value.toString(16).padStart(64, "0")}`;

/**
 * Checks the reading of an ERC-20 token from Anvil, a real client. Each check has its expected and its actual value.
 */
export async function anvilChecks() {
  const port = await freePort();
  const anvil = spawn(BIN, ["--port", String(port), "--chain-id", String(CHAIN_ID), "--silent"], {
    stdio: "ignore",
    detached: true,
  });
  const folder = mkdtempSync(join(tmpdir(), "anvil-"));
  // A second address of the client, because the settings refuse one machine twice.
  const relay = createServer((socket) => {
    pipeline(socket, connect(port, "127.0.0.1"), socket, () => undefined);
  });
  await new Promise((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const urls = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${relay.address().port}`];
  try {
    await begin(urls[0]);
    const file = JSON.parse(readFileSync(join(FOLDER, "erc20.json"), "utf8"));
    const chains = [{ id: "native", family: "evm", chain_id: CHAIN_ID, asset: TOKEN }];
    writeFileSync(join(folder, "native.json"), JSON.stringify({ ...file, chains }));
    return [
      ...(await nodeChecks(urls)),
      ...(await figureChecks(urls, folder)),
      ...(await commandChecks(urls[0], folder)),
    ];
  } finally {
    // The package starts the client as a process of its own.
    process.kill(-anvil.pid, "SIGKILL");
    relay.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deploys the token in a block. */
async function begin(url) {
  for (let waited = 0; (await call(url, "eth_chainId").catch(() => null)) === null; waited += 0.2) {
    if (waited > READY_SECONDS) throw new Error("anvil did not start");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await call(url, "anvil_setCode", TOKEN, `0x${Buffer.from(tokenCode()).toString("hex")}`);
  const slots = [[SUPPLY_SLOT, SUPPLY], [DECIMALS_SLOT, 18n], ...HOLDERS.map(([owner, held]) => [BigInt(owner), held])];
  for (const [slot, value] of slots) await call(url, "anvil_setStorageAt", TOKEN, word(slot), word(value));
  await call(url, "evm_mine");
}

async function call(url, method, ...params) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

async function nodeChecks(nodeUrls) {
  const asset = { kind: "contract", text: TOKEN };
  const chain = { id: "native", family: "evm", chainId: CHAIN_ID, asset, supply: "issued", escrow: null };
  const { problems } = await chainFinding({ chain, nodeUrls, nodeKeys: [] });
  return [["the check before a deployment", "", problems.join()]];
}

async function figureChecks(urls, folder) {
  const settings = { CHAIN_FAMILY: "evm", CHAIN_ID, NATIVE_ASSET: TOKEN, NODE_URLS: urls.join(), RATES_URL: "none" };
  const product = await startProduct(settings, { ...process.env, SCHEDULE_FOLDER: folder });
  const get = async (path) => (await fetch(`${product.origin}/api/${path}`)).text();
  try {
    const exact = Object.entries({
      "total-supply": "950000000.000000000123456782",
      "circulating-supply-on-chain": "547000000.000000000123456782",
      "burned-supply": "0.000000000000000007",
    });
    const checks = [];
    for (const [figure, wanted] of exact) checks.push([figure, wanted, await get(`${figure}?decimals=exact`)]);
    const { confirmed_by: by, non_circulating_wallets: wallets } = JSON.parse(await get("supply-breakdown"));
    const held = wallets.map(({ address, balance }) => [address, balance.base_units].join(" "));
    checks.push(["each wallet", HOLDERS.map(([owner, amount]) => `${owner} ${amount}`).join(), held.join()]);
    checks.push(["two addresses say it", "upstream-1,upstream-2", by.nodes.join()]);
    return checks;
  } finally {
    await product.stop();
  }
}

async function commandChecks(url, folder) {
  const node = ["--node", url, "--asset", TOKEN];
  const env = { ...process.env, SCHEDULE_FOLDER: folder };
  const run = async (...words) =>
    (await promisify(execFile)(process.execPath, [join(ROOT, "tools", "main.mjs"), ...words], { env })).stdout;
  const verified = await run("schedule", "verify", ...node);
  const to = ["--out", join(folder, "kit"), "--url", "https://api.xyz.example", "--history", "none"];
  const kit = await run("listing", ...node, ...to);
  const wanted = "circulating on chain 547000000.000000000123456782";
  return [
    ["npm run schedule -- verify", wanted, verified.match(/circulating on chain \S+/)?.[0]],
    ["npm run listing", "at block 1", kit.match(/at block \d+/)?.[0]],
  ];
}
