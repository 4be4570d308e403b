import { expect, test } from "vitest";
import { FIGURES } from "../../../src/figures.ts";
import { deploymentWorld } from "../../support/deployment-world.ts";
import { file, validFile, walletFile } from "../supply/schedules.ts";

const BASE = { id: "base", family: "evm", chain_id: 8453, asset: `0x${"c0".repeat(20)}`, supply: "issued" };
const wallet = (chain: string) => ({
  chain,
  address: chain === "native" ? "0xa1" : `0x${"d1".repeat(20)}`,
  label: "Team",
  category: "team",
  holds: "account",
});

type Members = Readonly<Record<string, unknown>>;

/** Deployments that do not have every figure, by what keeps it from them. */
const DEPLOYMENTS: readonly (readonly [string, Members, Readonly<Record<string, string>>])[] = [
  ["nothing", { wallets: [wallet("native")] }, {}],
  ["a chain that is not read", { chains: [BASE], wallets: [wallet("native")] }, { NODE_URLS_BASE: "none" }],
  ["a wallet on a chain that the file does not list", { wallets: [wallet("native"), wallet("base")] }, {}],
  ["no chain at all", { wallets: [wallet("native")] }, { NODE_URLS: "none" }],
];
const KINDS = { "an unlock schedule": file, "wallets alone": walletFile } as const;

test.each(
  DEPLOYMENTS.flatMap(([what, changes, settings]) =>
    Object.entries(KINDS).flatMap(([kind, make]) =>
      kind === "wallets alone" && settings["NODE_URLS"] === "none"
        ? []
        : [[kind, what, make(changes), settings] as const],
    ),
  ),
)("%s with %s: health has the state of no figure that is not offered", async (_kind, _what, content, settings) => {
  const world = deploymentWorld({
    schedule: validFile(content),
    chain: { minted: () => 1_000n, balance: () => 1n },
    nodes: settings["NODE_URLS"] === undefined ? ["upstream-1", "upstream-2"] : [],
    settings: { RATES_URL: "none", ...settings },
  });
  const { figures }: { figures: { name: string }[] } = JSON.parse((await world.get("/api/health")).text);
  const names = figures.map(({ name }) => name);
  const paths = FIGURES.flatMap(({ name, path }) => (path !== null && names.includes(name) ? [path] : []));
  expect(paths.length).toBeGreaterThan(0);
  const statuses = await Promise.all(paths.map(async (path) => [path, (await world.get(path)).status] as const));
  expect(statuses.filter(([, status]) => status === "not_found")).toEqual([]);
});
