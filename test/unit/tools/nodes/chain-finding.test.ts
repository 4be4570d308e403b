import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parseMoveAsset } from "../../../../src/chain/asset.ts";
import { parseConfig } from "../../../../src/config.ts";
import { parseContract } from "../../../../src/families/evm/asset.ts";
import type { TokenChain } from "../../../../src/families/token-chain.ts";
import { planDeployment } from "../../../../tools/deploy/plan.ts";
import { furtherChainFindings } from "../../../../tools/doctor/nodes.ts";
import { chainFinding } from "../../../../tools/nodes/chain-finding.ts";
import { EvmChain, TOKEN } from "../../../support/evm/chain.ts";
import { EvmTestNode } from "../../../support/evm/node.ts";
import { file, valid } from "../../supply/schedules.ts";

const COIN = "0x5::coin::COIN";

/** A Move node: its chain, and the coin that exists there. */
interface MoveNode {
  chainId: number;
  coin: string;
  readonly keys: (string | null)[];
}

function moveReply({ chainId, coin, keys }: MoveNode, path: string, init: RequestInit): Response {
  keys.push(new Headers(init.headers).get("Authorization"));
  if (path === "/v1") return Response.json({ chain_id: chainId, ledger_version: "120" });
  const { function: view, type_arguments: types } = JSON.parse(String(init.body));
  if (types[0] !== coin) return Response.json({ error_code: "vm_error" }, { status: 400 });
  return Response.json(view === "0x1::coin::supply" ? [{ vec: ["500"] }] : [8]);
}

const hosts = new Map<string, MoveNode | EvmTestNode>();
const CHAINS: Readonly<Record<"move" | "evm", TokenChain>> = {
  move: {
    id: "side",
    family: "move",
    chainId: 7,
    supply: "issued",
    escrow: null,
    asset: parseMoveAsset(COIN) ?? expect.fail(),
  },
  evm: {
    id: "base",
    family: "evm",
    chainId: 8_453,
    supply: "issued",
    escrow: null,
    asset: parseContract(TOKEN) ?? expect.fail(),
  },
};
const PATH = { move: "/v1", evm: "/rpc" } as const;

beforeEach(async () => {
  const chain = await EvmChain.begin({ chainId: 8_453 });
  hosts.clear();
  for (const name of ["a", "b"]) {
    hosts.set(`${name}.move.example`, { chainId: 7, coin: COIN, keys: [] });
    hosts.set(`${name}.evm.example`, new EvmTestNode(chain));
  }
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    const { host, pathname } = new URL(address);
    const node = hosts.get(host);
    if (node === undefined) throw new TypeError("fetch failed");
    if (!(node instanceof EvmTestNode)) return moveReply(node, pathname, init);
    const { status = 200, body } = await node.reply(String(init.body));
    return Response.json(body, { status });
  });
});
afterEach(() => vi.unstubAllGlobals());

const urlsOf = (family: "move" | "evm", ...names: readonly string[]) =>
  names.map((name) => `https://${name}.${family}.example${PATH[family]}`);
const find = (family: "move" | "evm", nodeUrls = urlsOf(family, "a", "b"), nodeKeys: string[] = []) =>
  chainFinding({ chain: CHAINS[family], nodeUrls, nodeKeys });

describe.each(["move", "evm"] as const)("the nodes of a further %s chain", (family) => {
  const { id } = CHAINS[family];
  const first = `${id}-1 (a.${family}.example)`;
  const second = `${id}-2 (b.${family}.example)`;
  const alone = `; then only small changes that ${second} reports are accepted, and no first reading`;

  test("control: both can be read", async () => {
    expect(await find(family)).toEqual({
      is: expect.stringContaining(`${first}, ${second}`),
      problems: [],
      isRefused: false,
    });
  });

  test("of another chain: named, with both ids", async () => {
    const wrong = family === "move" ? { chainId: 8, coin: COIN, keys: [] } : new EvmTestNode(await EvmChain.begin({}));
    hosts.set(`a.${family}.example`, wrong);
    const [is, wanted] = family === "move" ? [8, 7] : [1, 8_453];
    expect((await find(family)).problems).toEqual([
      `${first} is of chain ${is}, but its chain_id in the schedule is ${wanted}${alone}`,
    ]);
  });

  test("without the asset: what the chain says instead", async () => {
    const without =
      family === "move"
        ? { chainId: 7, coin: "0x5::other::OTHER", keys: [] }
        : new EvmTestNode(await EvmChain.begin({ chainId: 8_453, code: new Uint8Array() }));
    for (const name of ["a", "b"]) hosts.set(`${name}.${family}.example`, without);
    const { problems, isRefused } = await find(family);
    expect(isRefused, "no node will ever have a figure").toBe(true);
    const what = family === "move" ? `says of ${COIN}: the chain node answers 400` : `there is no contract at ${TOKEN}`;
    expect(problems).toEqual([expect.stringContaining(what), expect.stringContaining(what)]);
    for (const problem of problems) expect(problem).toMatch(/; no figure of the chain can be read$/);
  });

  test("of another chain, one of them: the settings are wrong, whatever the other one says", async () => {
    const wrong = family === "move" ? { chainId: 8, coin: COIN, keys: [] } : new EvmTestNode(await EvmChain.begin({}));
    hosts.set(`a.${family}.example`, wrong);
    expect((await find(family)).isRefused).toBe(true);
  });

  test("without the asset at one of them, or with none that answers: it may be another day tomorrow", async () => {
    const without =
      family === "move"
        ? { chainId: 7, coin: "0x5::other::OTHER", keys: [] }
        : new EvmTestNode(await EvmChain.begin({ chainId: 8_453, code: new Uint8Array() }));
    hosts.set(`a.${family}.example`, without);
    expect(await find(family)).toMatchObject({ isRefused: false, problems: [expect.stringContaining(first)] });
    hosts.delete(`b.${family}.example`);
    expect((await find(family)).isRefused, "one has not said").toBe(false);
    hosts.delete(`a.${family}.example`);
    expect((await find(family)).isRefused).toBe(false);
  });

  test("that cannot be reached: named", async () => {
    hosts.delete(`a.${family}.example`);
    expect((await find(family)).problems).toEqual([
      expect.stringMatching(new RegExp(`^${id}-1 \\(a\\..*does not answer.*${alone.replace(/[()]/g, "\\$&")}$`)),
    ]);
  });

  test("at one host: two words of one operator", async () => {
    const [url = ""] = urlsOf(family, "a");
    const other = family === "move" ? "https://a.move.example/other/v1" : "https://a.evm.example/other";
    const { problems } = await find(family, [url, other]);
    expect(problems).toContainEqual(
      `${id}-2 (a.${family}.example) is at the same host as ${id}-1: the two nodes that confirm a figure must belong to two operators`,
    );
  });
});

describe.each(["move", "evm"] as const)("the nodes of the first chain, a %s one", (family) => {
  const SETTINGS = {
    move: { CHAIN_ID: "7", NATIVE_ASSET: COIN },
    evm: { CHAIN_FAMILY: "evm", CHAIN_ID: "8453", NATIVE_ASSET: TOKEN },
  } as const;
  const decimals = { move: 8, evm: 18 }[family];
  const findFirst = (change: object = {}, scheduled = decimals) => {
    const all = { ENVIRONMENT: "production", RATES_URL: "none", NODE_URLS: urlsOf(family, "a", "b").join() };
    const read = parseConfig({ ...all, ...SETTINGS[family], ...change });
    if (read.kind !== "config") throw new Error(read.problems.join());
    return chainFinding(read.config.chains[0], scheduled);
  };

  test("control: both can be read", async () => {
    expect(await findFirst()).toMatchObject({ problems: [], isRefused: false });
  });

  test.each<[string, object, number, string]>([
    ["another chain", { CHAIN_ID: "99" }, decimals, `is of chain ${SETTINGS[family].CHAIN_ID}, but CHAIN_ID is 99`],
    ["other decimals", {}, 6, `reports that the token has ${decimals} decimals, but the schedule says 6`],
    [
      "no such token",
      { NATIVE_ASSET: family === "move" ? "0x6::coin::COIN" : TOKEN.replace("c0ffee", "c0ffef") },
      decimals,
      family === "move" ? "says of 0x6::coin::COIN: the chain node answers 400" : "there is no contract at",
    ],
  ])("%s: the settings are refused", async (_what, change, scheduled, reason) => {
    const { problems, isRefused } = await findFirst(change, scheduled);
    expect([isRefused, problems.length]).toEqual([true, 2]);
    for (const problem of problems) expect(problem).toContain(reason);
  });

  test("dead nodes are notes, because they may answer tomorrow", async () => {
    hosts.clear();
    const { problems, isRefused } = await findFirst();
    expect([isRefused, problems.length]).toEqual([false, 2]);
    expect(problems[0]).toMatch(/^upstream-1 \(a\..* does not answer.*no figure of the chain can be read$/);
  });
});

test("what a proxy refuses is not what the chain says", async () => {
  vi.stubGlobal("fetch", async (address: string) =>
    new URL(address).pathname === "/v1"
      ? Response.json({ chain_id: 7, ledger_version: "120" })
      : Response.json({ error: "pay" }, { status: 402 }),
  );
  expect(await find("move")).toMatchObject({
    isRefused: false,
    problems: [expect.stringContaining("402"), expect.anything()],
  });
});

test("a node of a further Move chain is given its key, and no problem repeats it", async () => {
  const node = { chainId: 8, coin: COIN, keys: [] as (string | null)[] };
  hosts.set("a.move.example", node);
  const { problems } = await find("move", urlsOf("move", "a", "b"), ["s3cret"]);
  expect(node.keys).toEqual(["Bearer s3cret"]);
  expect(problems.join()).not.toContain("s3cret");
});

describe("the doctor of a deployment whose token is on further chains", () => {
  const schedule = { ...valid(file()), chains: [CHAINS.move, CHAINS.evm] };
  const SIDE = urlsOf("move", "a", "b").join();
  const BASE = urlsOf("evm", "a", "b").join();
  const found = (settings: Readonly<Record<string, string>>) =>
    furtherChainFindings({ ENVIRONMENT: "production", CHAIN_ID: "4", RATES_URL: "none", ...settings }, schedule);

  test("tries the nodes that are given, although those of the first chain are stored", async () => {
    const { side, base } = await found({ NODE_URLS_SIDE: SIDE, NODE_URLS_BASE: BASE });
    expect([side?.problems, base?.problems]).toEqual([[], []]);
    expect([side?.is, base?.is]).toEqual([expect.stringContaining("side-1"), expect.stringContaining("base-1")]);
  });

  test("says which are not given, and which are none", async () => {
    const { side, base } = await found({ NODE_URLS_SIDE: "none" });
    expect(side?.warnings).toEqual(["NODE_URLS_SIDE is none, so no figure over all chains is served"]);
    expect(base?.warnings).toEqual([
      "the nodes of base are not known here and were not tried: set NODE_URLS_BASE as for a deployment",
    ]);
  });

  test("says what is wrong with a chain's settings, of that chain alone", async () => {
    const { side, base } = await found({
      NODE_URLS_SIDE: SIDE,
      NODE_URLS_BASE: "https://a.evm.example/1,https://a.evm.example/2",
    });
    expect(base?.problems).toEqual([expect.stringMatching(/^NODE_URLS_BASE names one host twice/)]);
    expect(side).toMatchObject({
      is: expect.stringMatching(/^side-1 .* reported the supply on chain 7$/),
      problems: [],
    });
  });
});

test("a deployment is refused with one host twice for a further EVM chain", () => {
  const file = { env: { production: { vars: { ENVIRONMENT: "production", CHAIN_ID: "4", RATES_URL: "none" } } } };
  const planned = (NODE_URLS_BASE: string) =>
    planDeployment(
      file,
      "production",
      { NODE_URLS: "https://n.example/v1", NODE_URLS_BASE },
      { revision: "abc", isDeployed: false, chains: [CHAINS.evm] },
    );
  const problemsOf = (urls: string) => {
    const plan = planned(urls);
    return plan.kind === "problems" ? plan.problems : [];
  };
  expect(problemsOf("https://a.evm.example/1,https://a.evm.example/2")).toEqual([
    expect.stringMatching(/^NODE_URLS_BASE names one host twice/),
  ]);
  expect(problemsOf(urlsOf("evm", "a", "b").join())).toEqual([]);
});
