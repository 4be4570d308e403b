import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FirstChainSettings } from "../../../../src/families/token-chain.ts";
import { walletsOf } from "../../../../src/supply/wallets.ts";
import { parseSchedule } from "../../../../tools/schedule/parse-schedule.ts";
import { bucket, errorsOf, file, valid, wallet } from "../../supply/schedules.ts";

const CHECKSUMMED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const MISTYPED = CHECKSUMMED.replace("5aA", "6aA");
const TOKEN = `0x${"c0".repeat(20)}`;
const HOLDER = `0x${"a1".repeat(20)}`;

const issued = (changes: object = {}) => ({
  id: "base",
  family: "evm",
  chain_id: 8453,
  asset: TOKEN,
  supply: "issued",
  ...changes,
});
const ESCROW = { chain: "native", address: "0x0e5c" };
const bridged = (changes: object = {}) =>
  issued({ id: "eth", chain_id: 1, supply: "bridged", escrow: ESCROW, ...changes });
/** The first chain, as a file states it. */
const FIRST = { id: "native", family: "move", chain_id: 4, asset: "0x1::aptos_coin::AptosCoin" } as const;
const on = (chains: readonly unknown[], ...wallets: readonly unknown[]) => file({ chains, wallets });
const team = (chain: string, address: string, changes: object = {}) =>
  wallet(address, { chain, category: "team", ...changes });

describe("the chains of a token", () => {
  test("are read in one form each; a file without them has none", () => {
    const chains = [
      issued({ asset: CHECKSUMMED }),
      bridged({ escrow: { chain: "base", address: CHECKSUMMED } }),
      issued({ id: "side-2", family: "move", chain_id: 7, asset: "0x00AB" }),
    ];
    expect(valid(on(chains)).chains).toEqual([
      {
        id: "base",
        family: "evm",
        chainId: 8453,
        supply: "issued",
        escrow: null,
        asset: { kind: "contract", text: CHECKSUMMED.toLowerCase() },
      },
      {
        id: "eth",
        family: "evm",
        chainId: 1,
        supply: "bridged",
        asset: { kind: "contract", text: TOKEN },
        escrow: { chain: "base", address: CHECKSUMMED.toLowerCase() },
      },
      {
        id: "side-2",
        family: "move",
        chainId: 7,
        supply: "issued",
        escrow: null,
        asset: { kind: "fungible_asset", text: "0xab" },
      },
    ]);
    expect(valid(file())).not.toHaveProperty("chains");
  });

  test("an address has the form of its own chain, whatever the first one's", () => {
    const chains = [issued({ id: "side", family: "move", chain_id: 7, asset: "0xab" }), bridged()];
    const wallets = walletsOf(
      valid(
        on(chains, team("side", "0x00AB", { holds: "stake_pool" }), team("eth", CHECKSUMMED), team("native", "0x00AB")),
      ),
    );
    expect(wallets.map(({ chain, address }) => [chain, address])).toEqual([
      ["side", "0xab"],
      ["eth", CHECKSUMMED.toLowerCase()],
      ["native", "0xab"],
    ]);
  });

  test("the first one may be among them, and is issued; its family is that of its addresses, whatever settings say", () => {
    const stated = { ...FIRST, family: "evm", chain_id: 1, asset: CHECKSUMMED };
    const json = on([stated, issued()], team("native", CHECKSUMMED));
    for (const family of ["move", "evm"] as const) {
      const { chains: [first] = [], wallets } = valid(json, family);
      expect(first).toEqual({
        id: "native",
        family: "evm",
        chainId: 1,
        supply: "issued",
        escrow: null,
        asset: { kind: "contract", text: CHECKSUMMED.toLowerCase() },
      });
      expect(wallets.map(({ address }) => address)).toEqual([CHECKSUMMED.toLowerCase()]);
    }
    expect(errorsOf(on([stated], team("native", MISTYPED)))).toEqual([
      expect.stringContaining("fails its checksum (EIP-55)"),
    ]);
  });

  test("settings of another network say the family of its addresses", () => {
    const json = on([FIRST], team("native", CHECKSUMMED));
    const addressesBy = (first: FirstChainSettings) => {
      const result = parseSchedule(json, first);
      return result.kind === "schedule" ? result.schedule.wallets.map(({ address }) => address.length) : result.errors;
    };
    expect(addressesBy({ family: "evm", chainId: 4 }), "the network of the file").toEqual([42]);
    const evm = on([FIRST], team("native", "0xdead"));
    expect(parseSchedule(evm, { family: "evm", chainId: 1 })).toMatchObject({ kind: "errors" });
    expect(parseSchedule(evm, { family: "evm", chainId: 4 })).toMatchObject({ kind: "schedule" });
  });

  test("one escrow may stand behind several chains", () => {
    expect(errorsOf(on([bridged(), bridged({ id: "op", chain_id: 10 })]))).toEqual([]);
  });
});

const ID =
  'must be lower-case letters and digits, beginning with a letter, with single dashes inside, at most 32 (NODE_URLS_ and the id in capitals is its setting), not "';

test.each<readonly [what: string, json: unknown, error: string]>([
  ["no chain", on([]), "chains: must have at least 1"],
  [
    "nine chains",
    on(Array.from({ length: 9 }, (_, index) => issued({ id: `c${index}`, chain_id: index + 1 }))),
    "chains: must NOT have more than 8 items",
  ],
  ...["Base", "my_chain", "1inch", "a--b", "a-", "", "a".repeat(33)].map(
    (id) => [`the id ${id}, which makes no setting`, on([issued({ id })]), `chains[0].id: ${ID}${id}"`] as const,
  ),
  ["the first chain not first", on([issued(), { ...FIRST }]), "chains[1].id: native is the first chain: put it first"],
  [
    "a first chain that is bridged",
    on([
      { ...FIRST, supply: "bridged", escrow: { chain: "base", address: "0x1" } },
      issued({ family: "move", chain_id: 7, asset: "0xab" }),
    ]),
    "chains[0].supply: must be issued: the first chain is the one that the others are bridged from",
  ],
  ["a further chain that does not say what it is", on([issued({ supply: undefined })]), "chains[0].supply: missing"],
  [
    "the first chain's asset in another form",
    on([{ ...FIRST, asset: TOKEN.slice(0, 20) + "::x" }]),
    "chains[0].asset: must be a type tag or an address",
  ],
  ["another family", on([issued({ family: "svm" })]), 'chains[0].family: must be one of move, evm, not "svm"'],
  ["no chain id", on([issued({ chain_id: 0 })]), "chains[0].chain_id: must be a whole number from 1 to"],
  [
    "a member of another format",
    on([issued({ decimals: 18 })]),
    "chains[0].decimals: unknown key; known here: id, family",
  ],
  [
    "a supply of another kind",
    on([issued({ supply: "wrapped" })]),
    'chains[0].supply: must be one of issued, bridged, not "wrapped"',
  ],
  [
    "a chain id that no Move chain has",
    on([issued({ family: "move", asset: "0xab" })]),
    "chains[0].chain_id: must be at most 255 on a chain of the family move, not 8453",
  ],
  [
    "an asset of a Move chain on an EVM chain",
    on([issued({ asset: "0x1::a::B" })]),
    `chains[0].asset: must be a contract's address, 0x and 40 hex digits (its family is evm), not "0x1::a::B"`,
  ],
  [
    "an asset that is none",
    on([issued({ family: "move", chain_id: 7, asset: "Zz" })]),
    'chains[0].asset: must be a type tag or an address (its family is move), not "Zz"',
  ],
  [
    "a mistyped contract",
    on([issued({ asset: MISTYPED })]),
    `chains[0].asset: ${MISTYPED} fails its checksum (EIP-55)`,
  ],
  [
    "a mistyped escrow",
    on([issued(), bridged({ escrow: { chain: "base", address: MISTYPED } })]),
    `chains[1].escrow.address: ${MISTYPED} fails its checksum (EIP-55)`,
  ],
  [
    "a mistyped wallet on a further chain",
    on([issued()], team("base", MISTYPED)),
    `wallets[0].address: ${MISTYPED} fails its checksum (EIP-55)`,
  ],
  [
    "an id twice",
    on([issued(), issued({ chain_id: 10 })]),
    "chains[1].id: base is also the id of chains[0]; each chain has one of its own",
  ],
  [
    "one token twice",
    on([issued(), issued({ id: "other", asset: TOKEN.toUpperCase().replace("X", "x") })]),
    "chains[1].asset: is also the asset of chains[0], on the same chain: list it once",
  ],
  [
    "a bridged supply without its escrow",
    on([bridged({ escrow: undefined })]),
    "chains[0].escrow: missing: a bridged supply stands for what is locked on another chain; name where",
  ],
  [
    "an issued supply with an escrow",
    on([issued({ escrow: ESCROW })]),
    "chains[0].escrow: must not be given: an issued supply is backed by nothing; or supply is bridged",
  ],
  [
    "an escrow on a chain that is none of them",
    on([bridged({ escrow: { ...ESCROW, chain: "base" } })]),
    'chains[0].escrow.chain: must be one of native, eth, or be added to chains, not "base"',
  ],
  [
    "an escrow on its own chain",
    on([bridged({ escrow: { chain: "eth", address: HOLDER } })]),
    "chains[0].escrow.chain: must be another chain than eth itself",
  ],
  [
    "an escrow in the form of another family",
    on([bridged({ escrow: { ...ESCROW, address: "0xzz" } })]),
    "chains[0].escrow.address: must be an address of 1 to 64 hex digits",
  ],
  [
    "an escrow that is a wallet",
    on([bridged()], team("native", "0xe5c")),
    "chains[0].escrow.address: is also wallets[0]: what is locked there circulates on eth, so the escrow is no wallet; take that out",
  ],
  [
    "an escrow that is a bucket's",
    { ...on([bridged()]), buckets: [bucket({ addresses: [wallet("0xe5c")] })] },
    "chains[0].escrow.address: is also buckets[0].addresses[0]",
  ],
  [
    "a wallet on a chain that is none of them",
    on([issued()], team("ethereum", HOLDER)),
    'wallets[0].chain: must be one of native, base, or be added to chains, not "ethereum"',
  ],
  [
    "a stake pool on an EVM chain",
    on([issued()], team("base", HOLDER, { holds: "stake_pool" })),
    "wallets[0].holds: must be account or lock on an EVM chain, not stake_pool",
  ],
  [
    "a short address on an EVM chain",
    on([issued()], team("base", "0xa1")),
    'wallets[0].address: must be an address of exactly 40 hex digits after 0x (the family of base is evm), not "0xa1"',
  ],
  [
    "more wallets on one chain than a reading allows",
    on(
      [issued()],
      ...Array.from({ length: 1_025 }, (_, index) => team("base", `0x${index.toString(16).padStart(40, "0")}`)),
    ),
    "wallets: 1025 wallets on base, with those of buckets; at most 1024",
  ],
  [
    "more wallets on all chains than can be stored",
    on(
      [issued()],
      ...Array.from({ length: 1_000 }, (_, index) => team("base", `0x${index.toString(16).padStart(40, "0")}`)),
      ...Array.from({ length: 25 }, (_, index) => team("native", `0x${index + 1}`)),
    ),
    "wallets: 1025 wallets on all chains, with those of buckets; at most 1024",
  ],
])("refused: %s", (_what, json, error) => {
  expect(errorsOf(json).filter((each) => each.startsWith(error))).toHaveLength(1);
  expect(errorsOf(json)).toHaveLength(1);
});

test("the bound of all chains counts the wallets that are read: those on another chain are in no reading", () => {
  const elsewhere = Array.from({ length: 1_000 }, (_, index) => team("ethereum", `0x${index + 1}`));
  const own = Array.from({ length: 25 }, (_, index) => team("native", `0x${index + 1}`));
  expect(valid(file({ wallets: [...elsewhere, ...own] })).wallets).toHaveLength(1_025);
});

describe("what backs a bridged supply", () => {
  /** Chains `c0`, `c1`, ... with where the escrow of each is; null: it is issued. */
  const chainsOf = (escrows: readonly (string | null)[]) =>
    escrows.map((chain, index) => {
      const own = { id: `c${index}`, chain_id: index + 1, asset: `0x${String(index).padStart(40, "0")}` };
      return chain === null ? issued(own) : bridged({ ...own, escrow: { chain, address: escrowAt(chain) } });
    });
  const escrowAt = (chain: string) => (chain === "native" ? "0xe5c" : HOLDER);

  test.each([
    ["each other", ["c1", "c0"], "c0 -> c1 -> c0"],
    ["one another, over three chains", ["c1", "c2", "c0"], "c0 -> c1 -> c2 -> c0"],
    ["one that leads to such a pair", ["c1", "c2", "c1"], "c0 -> c1 -> c2 -> c1"],
  ])("is no chain whose escrow is on %s", (_what, escrows, path) => {
    const errors = errorsOf(on(chainsOf(escrows)));
    expect(errors).toHaveLength(escrows.length);
    expect(errors[0]).toBe(
      `chains[0].escrow.chain: nothing backs c0, because its escrows lead in a circle (${path}): a chain of escrows ends on native or another issued chain`,
    );
  });

  test("property: a chain is refused exactly when its escrows do not end on a chain that is issued", () => {
    const seen = { refused: 0, accepted: 0 };
    const place = fc.option(fc.integer({ min: -1, max: 7 }), { nil: null, freq: 4 });
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 8 }), (places) => {
        const escrows = places.map((at, index) => {
          if (at === null) return null;
          const other = at % places.length;
          return at === -1 || other === index ? "native" : `c${other}`;
        });
        const backed = new Set(["native", ...escrows.flatMap((escrow, at) => (escrow === null ? [`c${at}`] : []))]);
        for (const _ of escrows)
          for (const [at, escrow] of escrows.entries()) if (backed.has(escrow ?? "")) backed.add(`c${at}`);
        const wrong = escrows.flatMap((_, at) => (backed.has(`c${at}`) ? [] : [`chains[${at}].escrow.chain`]));
        seen[wrong.length > 0 ? "refused" : "accepted"] += 1;
        expect(errorsOf(on(chainsOf(escrows))).map((error) => error.split(":")[0])).toEqual(wrong);
      }),
      // Enough runs for both outcomes.
      { numRuns: 200 },
    );
    expect(Math.min(seen.refused, seen.accepted)).toBeGreaterThan(5);
  });
});

test("without chains a wallet on another chain is listed, as it was", () => {
  expect(errorsOf(file({ wallets: [team("ethereum", "GOOD")] }))).toEqual([]);
});
