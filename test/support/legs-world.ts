import type { AddressFile } from "../../src/addresses/registered-address.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import { holdingsOn } from "../../src/supply/wallets.ts";
import { bucket, file, valid, wallet } from "../unit/supply/schedules.ts";
import { deploymentWorld, type ScriptedNodes, WORLD_START_MS } from "./deployment-world.ts";
import { EvmChain, TOKEN } from "./evm/chain.ts";
import { EvmTestNode } from "./evm/node.ts";
import { poolOver } from "./evm/pool.ts";
import { SUPPLY_SLOT } from "./evm/token.ts";

/** Base units of the source, a Move chain; an EVM chain has ten digits more. */
export const UNIT = 10n ** 8n;
export const FINER = 10n ** 10n;
export const ESCROW = "0xe5c";
export const TEAM = "0xa1";
export const BURN = "0xb0";
/** The project's wallets on the EVM chains, and where tokens are burned there. */
export const HOLDER = `0x${"00a1".repeat(10)}`;
export const DEAD = `0x${"dead".padStart(40, "0")}`;

/** What exists and who holds it, in the units of each chain, by its name. */
export interface Ledger {
  native: Record<"minted" | "team" | "burned" | "escrow", bigint>;
  /** Lock and mint: every token is one that the escrow holds. */
  eth: Record<"minted" | "holder" | "dead", bigint>;
  /** Burn and mint. */
  base: Record<"minted" | "holder" | "dead", bigint>;
}

export const START = (): Ledger => ({
  native: { minted: 600_000_000n * UNIT + 7n, team: 100_000_000n * UNIT + 3n, burned: 5n, escrow: 50_000_000n * UNIT },
  eth: { minted: 50_000_000n * UNIT * FINER, holder: 2_000_000n * UNIT * FINER + 1n, dead: 7n * UNIT * FINER + 9n },
  base: { minted: 300_000_000n * UNIT * FINER + 13n, holder: 4_000_000n * UNIT * FINER + 11n, dead: 4n },
});

const CHAINS = { eth: 1, base: 8453 } as const;
export type LegName = keyof typeof CHAINS;
const LEGS = ["eth", "base"] as const satisfies readonly LegName[];

/** A token on a Move chain, bridged to one EVM chain and issued on another one. */
export function legsSchedule(changes: Readonly<Record<string, unknown>> = {}): Schedule {
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
        ...LEGS.flatMap((chain) => [listed(chain, HOLDER, "treasury"), listed(chain, DEAD, "burn")]),
      ],
      ...changes,
    }),
  );
}

/** A deployment of that token before two nodes of each chain. */
export async function legsWorld({
  ledger = START(),
  schedule = legsSchedule(),
  settings = {},
  addresses = null,
}: {
  readonly ledger?: Ledger;
  readonly schedule?: Schedule;
  readonly settings?: Readonly<Record<string, string>>;
  readonly addresses?: AddressFile | null;
} = {}) {
  const slotsOf = ({ minted, holder, dead }: Ledger[LegName]) =>
    new Map([
      [SUPPLY_SLOT, minted],
      [BigInt(HOLDER), holder],
      [BigInt(DEAD), dead],
    ]);
  const startSeconds = Math.floor(WORLD_START_MS / 1_000);
  const begin = async (name: LegName) => {
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
      return pool.nodes(isOver, holdingsOn(schedule, name));
    };
    return { chain, nodes, answering };
  };
  const legs = { eth: await begin("eth"), base: await begin("base") };
  /** The chains get a block each in which the ledger is as it is now. */
  const settle = async (): Promise<void> => {
    for (const name of LEGS) await legs[name].chain.mine(slotsOf(ledger[name]));
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
    furtherNodes: { eth: legs.eth.answering, base: legs.base.answering },
    settings: { RATES_URL: "none", STABLE_ASSET: "", CHAIN_ID: "4", ...settings },
  });
  return {
    ...place,
    ledger,
    schedule,
    legs,
    settle,
    /** The next reading, ten minutes later, with the ledger as it is now. */
    read: async () => {
      await settle();
      return place.readNow();
    },
    exact: async (figure: string) => (await place.get(`/api/${figure}?decimals=exact`)).text,
  };
}

export type LegsWorld = Awaited<ReturnType<typeof legsWorld>>;
