import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHECKOUT, copyCheckout, ENVIRONMENT } from "../support/checkout.ts";
import { closing, listening } from "../support/listening.ts";
import { type Product, startProduct } from "../support/product.ts";

/** A family that no code of the product knows: its folder, and what its row says in each of the three tables. */
const FOLDER = "src/families/ledger";
const ROWS: Readonly<Record<string, readonly (readonly [after: string, added: string])[]>> = {
  "src/families/family.ts": [
    ['import { EVM } from "./evm/family.ts";', 'import { LEDGER } from "./ledger/family.ts";'],
    ["move: MOVE, evm: EVM", ", ledger: LEDGER"],
  ],
  "tools/nodes/families.ts": [
    [
      "const FAMILY_TOOLS: Readonly<Record<ChainFamily, FamilyTools>> = {",
      `  ledger: {
    nodeAt: () => {
      throw new Error("no command of this test reads a node");
    },
    nodeProblem: async () => null,
    ability: () => "showed their book",
    addressProblem: () => null,
    foreignAddress: () => null,
    written: (text) => text,
  },`,
    ],
  ],
  "page/src/verify/family.ts": [
    [
      "const PAGE_FAMILIES: Readonly<Record<ChainFamily, PageFamily>> = {",
      `  ledger: {
    nodeAt: () => {
      throw new Error("no page of this test reads a node");
    },
    commands: async (address) => address,
    version: "page",
    addressName: "book",
    notANode: "What answers at this address keeps no book.",
  },`,
    ],
  ],
};
/** Documents that name every family, which a test holds against the table (test/unit/families/families.test.ts). */
const DOCUMENTS = ["schedule/schema.json", "openapi/public.json"];

const UNIT = 10n ** 8n;
const LEDGER = {
  chain: 7,
  page: 12,
  units: { XYZ: { supply: String(1_000_000_000n * UNIT), decimals: 8 } },
  balances: { "acct-treasury": String(400_000_000n * UNIT), "acct-foundation": String(3n * UNIT - 1n) },
};

let folder: string;
let product: Product | undefined;
const servers: Server[] = [];

/** The parts of the product, which a family may change. */
function sources(of: string): ReadonlyMap<string, string> {
  const below = (at: string): string[] =>
    readdirSync(join(of, at), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? below(join(at, entry.name)) : [join(at, entry.name)],
    );
  return new Map(["src", "tools", "page"].flatMap(below).map((path) => [path, readFileSync(join(of, path), "latin1")]));
}

function registerFamily(): void {
  mkdirSync(join(folder, FOLDER));
  cpSync("test/fixtures/third-family/family.ts.txt", join(folder, FOLDER, "family.ts"));
  for (const [path, rows] of Object.entries(ROWS)) {
    let text = readFileSync(join(folder, path), "utf8");
    for (const [after, added] of rows) {
      expect(text.split(after), `${path}: ${after}`).toHaveLength(2);
      text = text.replace(after, `${after}${after.startsWith("move") ? "" : "\n"}${added}`);
    }
    writeFileSync(join(folder, path), text);
  }
  for (const path of DOCUMENTS) {
    const text = readFileSync(join(folder, path), "utf8");
    const named = text.replaceAll(/"move",\s*"evm"/g, '"move", "evm", "ledger"');
    expect(named, path).not.toBe(text);
    writeFileSync(join(folder, path), named);
  }
}

/** A token whose one chain is of the new family, as its schedule's file says. */
function writeSchedule(): void {
  const file = JSON.parse(readFileSync("test/fixtures/editions/erc20.json", "utf8"));
  const [community, treasury] = file.buckets;
  const account = { chain: "native", holds: "account" };
  const schedule = {
    ...file,
    $schema: "schema.json",
    token: { symbol: "XYZ", name: "Example", decimals: 8 },
    chains: [{ id: "native", family: "ledger", chain_id: 7, asset: "XYZ" }],
    buckets: [community, { ...treasury, addresses: [{ ...account, address: "acct-treasury", label: "Treasury" }] }],
    wallets: [{ ...account, address: "acct-foundation", label: "Foundation", category: "foundation" }],
  };
  writeFileSync(join(folder, "schedule", "native.json"), JSON.stringify(schedule));
  // The record of another schedule binds nobody.
  spawnSync("rm", ["-f", "published.csv", "published.json", "history.csv"], { cwd: join(folder, "schedule") });
}

const startedAtMs = Date.now();

async function startNode(): Promise<string> {
  const server = createServer((request, response) => {
    const body = request.url === "/ledger" ? { ...LEDGER, atMs: startedAtMs } : null;
    response.writeHead(body === null ? 404 : 200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  servers.push(server);
  return listening(server);
}

beforeAll(async () => {
  folder = copyCheckout();
  registerFamily();
  writeSchedule();
  const urls = [await startNode(), await startNode()];
  product = await startProduct({ NODE_URLS: urls.join(), RATES_URL: "none" }, { cwd: folder });
});

afterAll(async () => {
  await product?.stop();
  for (const server of servers) await closing(server);
});

const get = async (path: string) => (await fetch(`${product?.url}${path}`)).json();

test("a token on a chain of a third family has its figures, to the base unit", async () => {
  expect(await get("/api/total-supply?decimals=exact")).toBe(1_000_000_000);
  const circulating = await fetch(`${product?.url}/api/circulating-supply-on-chain?decimals=exact`);
  expect(await circulating.text()).toBe("599999997.00000001");
  expect(circulating.headers.get("X-Ledger-Version")).toBe("12");
  expect(await get("/api/supply-breakdown")).toMatchObject({
    confirmed_by: { nodes: ["upstream-1", "upstream-2"] },
    chains: [{ family: "ledger", asset: "XYZ" }],
  });
  expect((await fetch(`${product?.url}/v1`)).status).toBe(404);
});

function checkSchedule() {
  const words = ["tools/main.mjs", "schedule", "check"];
  return spawnSync("node", words, { cwd: folder, env: ENVIRONMENT, encoding: "utf8" });
}

test.each([
  [
    "address",
    ['"address":"acct-foundation"', '"address":"0xf0"'],
    'wallets[0].address: must be acct- and small letters (CHAIN_FAMILY is ledger), not "0xf0"',
  ],
  [
    "asset",
    ['"asset":"XYZ"', '"asset":"0x1::a::B"'],
    'chains[0].asset: must be a unit of 3 to 5 capital letters (its family is ledger), not "0x1::a::B"',
  ],
] as const)(
  "an %s of another family is refused in the words of the chain's family",
  (_what, [own, foreign], sentence) => {
    const path = join(folder, "schedule", "native.json");
    const text = readFileSync(path, "utf8");
    expect(text.split(own)).toHaveLength(2);
    const control = checkSchedule();
    expect([control.status, control.stderr]).toEqual([0, ""]);
    try {
      writeFileSync(path, text.replace(own, foreign));
      const { status, stderr } = checkSchedule();
      expect([status, stderr]).toEqual([1, `schedule/native.json: ${sentence}\n`]);
    } finally {
      writeFileSync(path, text);
    }
  },
);

test("its folder and a row in each of the three tables are all that the product needs, and its types agree", () => {
  const [before, after] = [sources(CHECKOUT), sources(folder)];
  const changed = [...after].flatMap(([path, text]) => (before.get(path) === text ? [] : [relative(".", path)]));
  expect(changed.sort()).toEqual([join(FOLDER, "family.ts"), ...Object.keys(ROWS)].sort());
  const compile = ["node_modules/typescript-native/bin/tsc", "-b", ".", "tools", "page"];
  const { status, stdout } = spawnSync("node", compile, { cwd: folder, env: ENVIRONMENT, encoding: "utf8" });
  expect([status, stdout]).toEqual([0, ""]);
});
