import fc from "fast-check";
import { expect, test } from "vitest";
import { chainForSettings } from "../../../src/chain/chain-record.ts";
import { SharedReadings } from "../../../src/home/readings.ts";
import { WatchedChain } from "../../../src/home/watched-chain.ts";
import { configOf } from "../../support/app.ts";
import { bucket, file, valid } from "../supply/schedules.ts";
import { memoryHistory } from "./history/memory-history.ts";

const NODES = "https://a.example/v1,https://b.example/v1";
const contract = (digit: number) => `0x${String(digit).repeat(40)}`;

/** A further chain as the schedule lists it. */
interface Further {
  readonly id: string;
  readonly chainId: number;
  readonly asset: string;
  /** Chain of its escrow; null: the token is issued there. */
  readonly escrow: string | null;
}

/** Everything that may make a stored value another one. */
interface Deployment {
  readonly chainId: number;
  readonly native: string;
  readonly stable: string;
  readonly decimals: number;
  readonly further: readonly Further[];
  readonly ratesUrl: string;
  readonly ratesProjects: string;
  /** Hash of the listing's mapping; null: there is none. */
  readonly ratesMapping: string | null;
  /** Ids of the share prices, which no listed product may have. */
  readonly shares: readonly string[];
  /** Settings that change no stored value. */
  readonly wallet: string;
  readonly nodes: string;
}

const shareOf = (id: string) => ({
  ...{ id, name: id, kind: "vault", provider: "Example", asset: { symbol: "XYZ" } },
  ...{ chain: "native", contract: contract(1), view: "getRate()", decimals: 18 },
});

/** The names that a deployment asks its store for. */
function namesOf(deployment: Deployment): Readonly<Record<string, string>> {
  const { chainId, native, stable, decimals, further, ratesUrl, ratesProjects, ratesMapping, shares, wallet, nodes } =
    deployment;
  const schedule = valid(
    file({
      token: { symbol: "XYZ", name: "Example", decimals },
      buckets: [bucket()],
      wallets: [{ chain: "native", address: wallet, label: "Team", category: "team", holds: "account" }],
      ...(shares.length > 0 && { share_prices: shares.map(shareOf) }),
      ...(further.length > 0 && {
        chains: further.map(({ id, chainId: chain_id, asset, escrow }) => ({
          id,
          family: "evm",
          chain_id,
          asset,
          ...(escrow === null
            ? { supply: "issued" }
            : { supply: "bridged", escrow: { chain: "native", address: escrow } }),
        })),
      }),
    }),
    "evm",
  );
  const config = configOf(
    {
      CHAIN_FAMILY: "evm",
      CHAIN_ID: String(chainId),
      NATIVE_ASSET: native,
      STABLE_ASSET: stable,
      NODE_URLS: nodes,
      RATES_URL: ratesUrl,
      RATES_PROJECTS: ratesProjects,
      NODE_GATEWAY: "off",
      STAKING: "off",
      ...Object.fromEntries(further.map(({ id }) => [`NODE_URLS_${id.toUpperCase()}`, NODES])),
    },
    schedule.chains,
  );
  const found: Record<string, string> = {};
  const load = (name: string) => {
    found[name.replace(/-\d+-[0-9a-f]+$/, "")] = name;
    return null;
  };
  const senders = [0, 1].map((index) => ({
    label: String(index),
    origin: String(index),
    transport: () => Promise.reject(),
    clean: (text: string) => text,
  }));
  const send = () => Promise.reject();
  const common = {
    config,
    schedule,
    load,
    now: () => 0,
    log: () => undefined,
    save: () => undefined,
    background: () => undefined,
    sleep: () => Promise.resolve(),
    after: () => () => undefined,
  };
  const { readers } = new WatchedChain(0, {
    ...common,
    senders,
    send,
    furtherNodes: new Map(config.chains.slice(1).map(({ chain }) => [chain.id, { senders, send }])),
    report: () => chainForSettings(null, { chainId, origins: [] }, 0),
  });
  new SharedReadings({
    ...common,
    readers: () => readers,
    afterReplies: () => undefined,
    history: memoryHistory({ figures: [], rates: [], changes: [] }),
    fetchListing: async () => undefined,
    ratesMapping:
      ratesMapping === null
        ? null
        : { mapping: { list: null, currentSeconds: null, members: [] }, sha256: ratesMapping },
    corrections: async () => [],
    pricesBackfill: async () => [],
  });
  return found;
}

const FURTHER = fc.record({
  id: fc.constantFrom("op", "base", "eth"),
  chainId: fc.integer({ min: 2, max: 4 }),
  asset: fc.constantFrom(contract(3), contract(4)),
  escrow: fc.constantFrom(null, contract(5), contract(6)),
});
const DEPLOYMENT: fc.Arbitrary<Deployment> = fc.record({
  chainId: fc.constantFrom(1, 10),
  native: fc.constantFrom(contract(1), contract(2)),
  stable: fc.constantFrom(contract(7), contract(8)),
  decimals: fc.constantFrom(6, 8, 18),
  further: fc.uniqueArray(FURTHER, { maxLength: 3, selector: ({ id }) => id }).filter((chains) => {
    const tokens = chains.map(({ chainId, asset }) => `${chainId} ${asset}`);
    return new Set(tokens).size === tokens.length;
  }),
  ratesUrl: fc.constantFrom("https://rates.example/a", "https://rates.example/b"),
  ratesProjects: fc.constantFrom("", "one", "two"),
  ratesMapping: fc.constantFrom(null, "aa", "bb"),
  shares: fc.constantFrom([], ["vault"], ["vault", "staked"]),
  wallet: fc.constantFrom(contract(9), `0x${"ab".repeat(20)}`),
  nodes: fc.constantFrom(NODES, "https://c.example,https://d.example"),
});

/** Facts on which each stored value depends, by the first part of its name. */
function madeOf({
  chainId,
  native,
  stable,
  decimals,
  further,
  ratesUrl,
  ratesProjects,
  ratesMapping,
  shares,
}: Deployment) {
  const own = further.map((chain) => [`reading/${chain.id}/native`, [chain.chainId, chain.asset]] as const);
  return {
    "reading/native/native": [chainId, native, decimals],
    "reading/native/stable": [chainId, stable],
    ...Object.fromEntries(own),
    ...(further.length > 0 && { "reading/rounds": [chainId, native, decimals, further] }),
    rates: [ratesUrl, ratesProjects, ratesMapping, shares],
  };
}

// biome-ignore format: one list.
const MEMBERS = ["chainId", "native", "stable", "decimals", "further", "ratesUrl", "ratesProjects", "ratesMapping", "shares", "wallet", "nodes"] as const satisfies readonly (keyof Deployment)[];

test("property: a stored value is found exactly when everything that made it is the same", () => {
  const seen = { found: 0, not: 0 };
  fc.assert(
    fc.property(DEPLOYMENT, DEPLOYMENT, fc.subarray([...MEMBERS], { maxLength: 2 }), (before, other, changed) => {
      const after = { ...before, ...Object.fromEntries(changed.map((member) => [member, other[member]])) };
      const stored = namesOf(before);
      const [made, madeAfter] = [madeOf(before), new Map(Object.entries(madeOf(after)))];
      expect(Object.keys(stored).sort()).toEqual(Object.keys(made).sort());
      const asked = Object.values(namesOf(after));
      for (const [kind, parts] of Object.entries(made)) {
        const isSame = JSON.stringify(parts) === JSON.stringify(madeAfter.get(kind));
        seen[isSame ? "found" : "not"] += 1;
        expect([kind, asked.includes(stored[kind] ?? "")]).toEqual([kind, isSame]);
      }
    }),
    { numRuns: 200 },
  );
  expect(Math.min(seen.found, seen.not)).toBeGreaterThan(50);
});
