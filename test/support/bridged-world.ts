import type { AddressFile } from "../../src/addresses/registered-address.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { holdingsOn } from "../../src/supply/wallets.ts";
import { bucket, file, valid, wallet } from "../unit/supply/schedules.ts";
import { deploymentWorld, type ScriptedNodes, WORLD_START_MS } from "./deployment-world.ts";
import { EvmChain, TOKEN } from "./evm/chain.ts";
import { EvmTestNode } from "./evm/node.ts";
import { poolOver } from "./evm/pool.ts";
import { SUPPLY_SLOT } from "./evm/token.ts";

/** Base units of one token on the source, a Move chain, and the factor of an EVM chain with ten digits more. */
export const UNIT = 10n ** 8n;
export const EVM_FACTOR = 10n ** 10n;
export const ESCROW = "0xe5c";
export const TEAM = "0xa1";
export const BURN = "0xb0";
/** Wallet of the project on the EVM chains, and burn address there. */
export const HOLDER = `0x${"00a1".repeat(10)}`;
export const DEAD = `0x${"dead".padStart(40, "0")}`;

/** Supply and balances of each chain in its own units, by the chain's name. */
export interface Ledger {
  native: Record<"minted" | "team" | "burned" | "escrow", bigint>;
  /** Chain with lock and mint: the escrow holds a token for each one here. */
  eth: Record<"minted" | "holder" | "dead", bigint>;
  /** Chain with burn and mint. */
  base: Record<"minted" | "holder" | "dead", bigint>;
}

export const START = (): Ledger => ({
  native: { minted: 600_000_000n * UNIT + 7n, team: 100_000_000n * UNIT + 3n, burned: 5n, escrow: 50_000_000n * UNIT },
  eth: {
    minted: 50_000_000n * UNIT * EVM_FACTOR,
    holder: 2_000_000n * UNIT * EVM_FACTOR + 1n,
    dead: 7n * UNIT * EVM_FACTOR + 9n,
  },
  base: { minted: 300_000_000n * UNIT * EVM_FACTOR + 13n, holder: 4_000_000n * UNIT * EVM_FACTOR + 11n, dead: 4n },
});

const CHAINS = { eth: 1, base: 8453 } as const;
export type EvmChainName = keyof typeof CHAINS;
const EVM_CHAINS = ["eth", "base"] as const satisfies readonly EvmChainName[];

/** Schedule of a token on a Move chain, bridged to one EVM chain and issued on another one. */
export function bridgedSchedule(changes: Readonly<Record<string, unknown>> = {}): Schedule {
  const listed = (chain: string, address: string, category: string) => wallet(address, { chain, category });
  return valid(
    file({
      max_supply: "1000000000",
      buckets: [
        bucket({
          allocation: "1000000000",
          genesis: "800000000",
          phases: [{ kind: "never", amount: "200000000" }],
        }),
      ],
      chains: [
        {
          id: "eth",
          family: "evm",
          chain_id: CHAINS.eth,
          asset: TOKEN,
          supply: "bridged",
          escrow: { chain: "native", address: ESCROW },
        },
        { id: "base", family: "evm", chain_id: CHAINS.base, asset: TOKEN, supply: "issued" },
      ],
      wallets: [
        listed("native", TEAM, "team"),
        listed("native", BURN, "burn"),
        ...EVM_CHAINS.flatMap((chain) => [listed(chain, HOLDER, "treasury"), listed(chain, DEAD, "burn")]),
      ],
      ...changes,
    }),
  );
}

/** Deployment of that token with two nodes per chain. */
export async function bridgedWorld({
  ledger = START(),
  schedule = bridgedSchedule(),
  settings = {},
  addresses = null,
}: {
  readonly ledger?: Ledger;
  readonly schedule?: Schedule;
  readonly settings?: Readonly<Record<string, string>>;
  readonly addresses?: AddressFile | null;
} = {}) {
  const slotsOf = ({ minted, holder, dead }: Ledger[EvmChainName]) =>
    new Map([
      [SUPPLY_SLOT, minted],
      [BigInt(HOLDER), holder],
      [BigInt(DEAD), dead],
    ]);
  const startSeconds = Math.floor(WORLD_START_MS / 1_000);
  const begin = async (name: EvmChainName) => {
    const chain = await EvmChain.begin({ chainId: CHAINS[name], startSeconds, first: BigInt(CHAINS[name]) });
    const nodes = [new EvmTestNode(chain), new EvmTestNode(chain)] as const;
    let pool: ReturnType<typeof poolOver> | undefined;
    const answering: ScriptedNodes = (isOver, now) => {
      pool ??= poolOver(nodes, {
        name,
        now,
        after: () => () => undefined,
        follows: (chainId) => chainId === CHAINS[name],
      });
      const view = (schedule.chains ?? []).find(({ id }) => id === name)?.circulatingView;
      return pool.nodes(isOver, holdingsOn(schedule, name), view);
    };
    return { chain, nodes, answering };
  };
  const chains = { eth: await begin("eth"), base: await begin("base") };
  /** Mines a block of each chain with the present ledger. */
  const settle = async (): Promise<void> => {
    for (const name of EVM_CHAINS) await chains[name].chain.mine(slotsOf(ledger[name]));
  };
  await settle();
  const held = (key: string): bigint => {
    const [, address] = key.split(" ");
    return address === TEAM ? ledger.native.team : address === BURN ? ledger.native.burned : ledger.native.escrow;
  };
  const place = deploymentWorld({
    schedule,
    addresses,
    nodes: ["upstream-1", "upstream-2"],
    chain: { minted: () => ledger.native.minted, balance: held },
    furtherNodes: { eth: chains.eth.answering, base: chains.base.answering },
    settings: { RATES_URL: "none", STABLE_ASSET: "", CHAIN_ID: "4", ...settings },
  });
  return {
    ...place,
    ledger,
    schedule,
    chains,
    settle,
    /** Makes the next reading, ten minutes later, with the present ledger. */
    read: async () => {
      await settle();
      return place.readNow();
    },
    exact: async (figure: string) => (await place.get(`/api/${figure}?decimals=exact`)).text,
  };
}

export type BridgedWorld = Awaited<ReturnType<typeof bridgedWorld>>;
