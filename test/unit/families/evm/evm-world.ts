import { storedText } from "../../../../src/base/json.ts";
import { parseEvmAddress } from "../../../../src/families/evm/address.ts";
import { ChainReader, FRESH_SECONDS } from "../../../../src/onchain/reader.ts";
import { onlyChainRules } from "../../../../src/onchain/rules.ts";
import { EvmChain, TOKEN } from "../../../support/evm/chain.ts";
import { EvmTestNode } from "../../../support/evm/node.ts";
import { poolOver } from "../../../support/evm/pool.ts";
import { readingOf } from "../../../support/reading-of.ts";
import { tokenChain } from "../../../support/token-chain.ts";
import { SimulatedTime } from "../../gateway/simulated-time.ts";
import { bucket, file, valid, wallet } from "../../supply/schedules.ts";

const ETHER = 10n ** 18n;
/** Base units of each holder that no float holds. */
export const HOLDERS: ReadonlyMap<string, bigint> = new Map([
  ["0x00000000000000000000000000000000000000a1", 400_000_000n * ETHER + 1n],
  ["0x00a2000000000000000000000000000000000000", 3_000_000n * ETHER - 1n],
  ["0x000000000000000000000000000000000000dead", 7n],
]);
export const SUPPLY = 950_000_000n * ETHER + 123_456_789n;
const CATEGORIES = ["treasury", "foundation", "burn"];

/** Changes of the wallet at an address, such as another kind of holding. */
type WalletChanges = Readonly<Record<string, object>>;

const scheduleOf = (holders: typeof HOLDERS, changes: WalletChanges) =>
  valid(
    file({
      token: { symbol: "XYZ", name: "Example", decimals: 18 },
      max_supply: "1000000000",
      buckets: [bucket({ allocation: "1000000000", genesis: "1000000000", phases: [] })],
      wallets: [...holders.keys()].map((address, index) =>
        wallet(address, { category: CATEGORIES[index] ?? "team", ...changes[address] }),
      ),
    }),
    "evm",
  );

/** Nodes of one chain, and the readings of its token as the home object makes them; in simulated time. */
export async function evmWorld(count = 2, chainId: number | null = 1, holders = HOLDERS, changes: WalletChanges = {}) {
  const time = new SimulatedTime(1_700_000_000_000);
  const chain = await EvmChain.begin({ supply: SUPPLY, holders: new Map(holders) });
  const nodes = Array.from({ length: count }, () => new EvmTestNode(chain));
  let followed = chainId;
  const after = (milliseconds: number, then: () => void) => {
    void time.sleep(milliseconds).then(then);
    return () => undefined;
  };
  const pool = poolOver(nodes, {
    name: "node",
    now: time.now,
    after,
    follows: (reported) => {
      followed ??= reported;
      return followed === reported;
    },
  });
  const address = parseEvmAddress(TOKEN);
  if (address === undefined) throw new Error("the token has no address");
  const asset = { kind: "contract", text: address } as const;
  const rules = onlyChainRules(scheduleOf(holders, changes), tokenChain({ family: "evm", asset }), {
    chainSource: "configured",
    supplyStepPercent: 1,
    aboveMaxPercent: 1,
    confirmSeconds: 60,
    staking: false,
  });
  let stored = "";
  const reader = new ChainReader({
    name: "native_reading",
    rules,
    freshSeconds: FRESH_SECONDS,
    now: time.now,
    sleep: time.sleep,
    stored: null,
    nodes: (isOver) => pool.nodes(isOver, rules.wallets),
    outvoted: () => null,
    save: (state) => {
      stored = storedText(state);
    },
    log: () => undefined,
  });
  /** The next reading, a minute and a few blocks after the last one. */
  const read = async () => {
    await time.pass(60_000);
    for (let blocks = 0; blocks < 30; blocks += 1) await chain.mine();
    return time.run(readingOf(reader));
  };
  const node = (index: number) => nodes[index] ?? new EvmTestNode(chain);
  return { time, chain, nodes, node, pool, asset, reader, read, stored: () => stored };
}
