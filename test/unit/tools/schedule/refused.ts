import { BURN, bucket, file, onePhase, table, wallet, walletFile } from "../../supply/schedules.ts";

/** The mistake, the file, and the beginning of its error. */
export type Refused = readonly [what: string, json: unknown, error: string];

const without = (key: string) => Object.fromEntries(Object.entries(file()).filter(([name]) => name !== key));
export const adjusted = (changes: object) => file({ adjustments: [{ ...BURN, ...changes }] });

const vault = wallet("0xa1");
const delegation = { ...vault, holds: "delegation", pool: "0xdd" };
const listing = (...wallets: readonly unknown[]) => file({ wallets });
const oneBucket = (changes: Readonly<Record<string, unknown>>) => file({ buckets: [bucket(changes)] });
/** Path of the wallet of `holding`. */
const HELD = "buckets[0].addresses[0]";
const holding = (...addresses: readonly unknown[]) => oneBucket({ addresses });

/** Invalid by shape alone, so that a JSON Schema refuses them. */
export const WRONG_SHAPES: readonly Refused[] = [
  ["a list", [], ": must be an object, not a list"],
  ["null", null, ": must be an object"],
  ["a publisher without a name", file({ publisher: " " }), "publisher: must be one line of printable text, not"],
  ...["two\nlines", "red\u001b[31m", "\u202Eesrever", "a\u2028b", "\ud800", "\u200b"].map(
    (label): Refused => [
      `a label with ${JSON.stringify(label).replaceAll("\\", "")}`,
      oneBucket({ label }),
      "buckets[0].label: must be one line of printable text, not",
    ],
  ),
  ["a title of two lines", file({ sources: [{ title: "a\nb", url: "https://a.b/" }] }), "sources[0].title: must be"],
  ["a name of two lines", file({ token: { symbol: "X", name: "a\tb", decimals: 8 } }), "token.name: must be one line"],
  ["a URL with a control character", file({ methodology: "https://a.example/\u0007" }), "methodology: must be an http"],
  ["a URL that no parser reads", file({ methodology: "https://a:99999/" }), "methodology: must be an http"],
  [
    "a bucket's source that is not a URL",
    oneBucket({ source: "the paper" }),
    "buckets[0].source: must be an http or https URL",
  ],
  [
    "an unknown precision",
    oneBucket({ precision: "rough" }),
    "buckets[0].precision: must be one of stated, on_chain, estimated",
  ],
  ["an unknown key", file({ note: "" }), "note: unknown key"],
  ["an unknown key inside", oneBucket({ colour: "red" }), "buckets[0].colour: unknown key"],
  [
    "a key of another phase",
    onePhase({ kind: "cliff", month: 1, count: 2 }),
    "buckets[0].phases[0].count: unknown key",
  ],
  [
    "both kinds of installments",
    onePhase({ kind: "installments", first_day: 1, every_days: 1, every_months: 1, count: 1 }),
    "buckets[0].phases[0].every_months: unknown key",
  ],
  ["sample that is not a boolean", file({ sample: "yes" }), "sample: must be true or false"],
  ["an address without a label", holding({ ...vault, label: undefined }), `${HELD}.label: missing`],
  [
    "an unknown kind of wallet",
    holding({ ...vault, holds: "hope" }),
    `${HELD}.holds: must be one of account, stake_pool, vesting`,
  ],
  [
    "a delegation without a pool",
    listing({ ...delegation, category: "team", pool: undefined }),
    "wallets[0].pool: missing",
  ],
  [
    "a staking contract without an operator",
    listing({ ...vault, category: "team", holds: "staking_contract" }),
    "wallets[0].operator: missing",
  ],
  [
    "an account with a pool",
    holding({ ...delegation, holds: "account" }),
    `${HELD}.pool: must not be given: only a delegation`,
  ],
  ["a wallet without a category", listing(vault), "wallets[0].category: missing"],
  ["a category in a bucket's wallet", holding({ ...vault, category: "burn" }), `${HELD}.category: unknown key`],
  ["a bucket that is burned", oneBucket({ category: "burn" }), "buckets[0].category: must be one of community"],
  ["a wallet that is text", listing("0xa1"), "wallets[0]: must be an object"],
  ["a missing key", without("max_supply"), "max_supply: missing"],
  [
    "a start with neither buckets nor table",
    { ...without("buckets"), wallets: [] },
    "start: must not be given without buckets or table: only an unlock schedule has a start",
  ],
  [
    "steps with neither",
    { ...without("buckets"), wallets: [] },
    "step_day: must not be given without buckets or table",
  ],
  ["adjustments with neither", walletFile({ adjustments: [] }), "adjustments: must not be given without buckets"],
  ["neither buckets nor table nor wallets", walletFile({ wallets: undefined }), "wallets: missing"],
  ["no start beside buckets", file({ start: undefined }), "start: missing"],
  [
    "no maximum beside buckets",
    file({ max_supply: null }),
    "max_supply: must not be null beside buckets or a table: only a file of wallets alone may have no maximum",
  ],
  ["no maximum beside a table", { ...table(["2025-02", "1"]), max_supply: null }, "max_supply: must not be null"],
  ["a maximum of nothing beside wallets alone", walletFile({ max_supply: "0" }), "max_supply: must be more than 0"],
  ["a missing key inside", onePhase({ kind: "linear", from: "2025-02-13" }), "buckets[0].phases[0].to: missing"],
  ["a phase without a kind", onePhase({}), "buckets[0].phases[0].kind: missing"],
  [
    "an unknown phase",
    onePhase({ kind: "lottery" }),
    'buckets[0].phases[0].kind: must be one of never, cliff, installments, linear, not "lottery"',
  ],
  ["a phase that is text", oneBucket({ phases: ["cliff"] }), 'buckets[0].phases[0]: must be an object, not "cliff"'],
  ["an unknown category", oneBucket({ category: "friends" }), "buckets[0].category: must be one of community"],
  [
    "a lone decimal point",
    file({ max_supply: "275796287." }),
    'max_supply: must be a decimal string such as "1250.5", not "275796287."',
  ],
  ["an exponent", file({ max_supply: "1e9" }), "max_supply: must be a decimal string"],
  ["separators", file({ max_supply: "1,000" }), "max_supply: must be a decimal string"],
  [
    "a JSON number",
    file({ max_supply: 1000 }),
    'max_supply: must be a decimal string such as "1250.5", not the number 1000',
  ],
  ["a leading zero", file({ max_supply: "01000" }), "max_supply: must be"],
  ["a sign", file({ max_supply: "+1000" }), "max_supply: must be"],
  ["a leading space", file({ max_supply: " 1000" }), "max_supply: must be"],
  ["a newline", file({ max_supply: "1000\n" }), "max_supply: must be"],
  ["other digits", file({ max_supply: "١٠٠٠" }), "max_supply: must be"],
  [
    "a day that does not exist",
    file({ start: "2023-04-31" }),
    'start: must be a day that exists, as YYYY-MM-DD, not "2023-04-31"',
  ],
  ["29 February of a common year", file({ published_at: "2023-02-29" }), "published_at: must be a day that exists"],
  ["an instant for a day", file({ start: "2025-02-13T00:00:00Z" }), "start: must be a day that exists"],
  ["a 29th for the step", file({ step_day: 29 }), "step_day: must be a whole number from 1 to 28, not the number 29"],
  ["a step day that is a string", file({ step_day: "1" }), 'step_day: must be a whole number from 1 to 28, not "1"'],
  ["no source", file({ sources: [] }), "sources: must have at least 1"],
  [
    "a source that is not a URL",
    file({ sources: [{ title: "x", url: "a.b" }] }),
    "sources[0].url: must be an http or https URL",
  ],
  ["revision 0", file({ revision: 0 }), "revision: must be a whole number from 1"],
  [
    "an id that is a column",
    oneBucket({ id: "month" }),
    "buckets[0].id: must not be a column name of the published CSV",
  ],
  ["an id with a comma", oneBucket({ id: "a,b" }), "buckets[0].id: must be letters"],
  ["an adjustment of minus zero", adjusted({ delta: "-0" }), "adjustments[0].delta: must be"],
  ["an adjustment without source", adjusted({ source: "" }), "adjustments[0].source: must be an http or https URL"],
  [
    "adjustments beside a table",
    { ...table(["2025-02", "1"]), adjustments: [] },
    "adjustments: must not be given with a table",
  ],
  [
    "buckets beside a table",
    { ...table(["2025-02", "1"]), buckets: [] },
    "buckets: must not be given together with table",
  ],
  ["a month that does not exist", table(["2025-13", "1"]), "table[0].month: must be a month"],
  ["a figure that is a number", table(["2025-02", 5]), "table[0].circulating: must be a decimal string"],
];

/** Valid by shape, but contradictory. */
export const WRONG_MEANINGS: readonly Refused[] = [
  [
    "an invalid address",
    holding({ ...vault, address: "0xzz" }),
    `${HELD}.address: must be an address of 1 to 64 hex digits`,
  ],
  [
    "an address listed twice, in different forms",
    holding(vault, { ...vault, address: "0x00A1" }),
    "buckets[0].addresses[1].address: 0xa1 is also buckets[0].addresses[0]",
  ],
  [
    "a bucket's wallet listed again at the top",
    { ...holding(vault), wallets: [{ ...vault, category: "team" }] },
    "wallets[0].address: 0xa1 is also buckets[0].addresses[0]",
  ],
  [
    "a stake pool and a delegation to it",
    listing(
      { ...vault, address: "0x0dd", holds: "stake_pool", category: "team" },
      { ...delegation, category: "treasury" },
    ),
    "wallets[1].pool: 0xdd is the stake pool wallets[0], whose stake this delegation is a part of: list one of them",
  ],
  [
    "a delegation of a bucket to a pool that is listed after it",
    { ...holding(delegation), wallets: [{ ...vault, address: "0xdd", holds: "stake_pool", category: "team" }] },
    `${HELD}.pool: 0xdd is the stake pool wallets[0]`,
  ],
  [
    "a delegation listed twice",
    listing({ ...delegation, category: "team" }, { ...delegation, pool: "0x0dd", category: "other" }),
    "wallets[1].address: 0xa1 is also wallets[0]",
  ],
  [
    "a pool that is no address",
    listing({ ...delegation, pool: "pool", category: "team" }),
    "wallets[0].pool: must be an address of 1 to 64 hex digits",
  ],
  ["a burn that adds", adjusted({ delta: "0.5" }), "adjustments[0].delta: must have a minus sign"],
  [
    "more addresses than one reading allows",
    holding(...Array.from({ length: 257 }, (_, index) => ({ ...vault, address: `0x${(index + 1).toString(16)}` }))),
    "wallets: 257 wallets on this chain, with those of buckets; at most 256",
  ],
  [
    "too many decimals",
    file({ max_supply: "1000.000000001" }),
    "max_supply: 1000.000000001 has 9 fraction digits; the token has 8",
  ],
  [
    "a wrong allocation",
    oneBucket({ genesis: "999.99999999" }),
    "buckets[0].allocation: 1000 is not genesis + phases, 999.99999999",
  ],
  [
    "allocations short of the maximum",
    file({ max_supply: "1001" }),
    "buckets: allocations add up to 1000, not to max_supply 1001",
  ],
  [
    "an id twice",
    file({ max_supply: "2", buckets: [bucket(), bucket()] }),
    "buckets[1].id: community is also the id of buckets[0]",
  ],
  [
    "a linear phase that ends before it begins",
    onePhase({ kind: "linear", from: "2025-03-01", to: "2025-03-01" }),
    "buckets[0].phases[0].to: must be later than from",
  ],
  [
    "no end within two centuries",
    onePhase({ kind: "installments", first_month: 1, count: 2400, every_months: 2 }),
    ": unlocks for more than 200 years",
  ],
  ["a maximum of zero", file({ max_supply: "0", buckets: [] }), "max_supply: must be more than 0"],
  [
    "an adjustment of an unknown bucket",
    adjusted({ bucket: "other" }),
    "adjustments[0].bucket: other is not the id of a bucket",
  ],
  [
    "an adjustment before the start",
    adjusted({ month: "2025-01" }),
    "adjustments[0].month: 2025-01 is before the start",
  ],
  ["an adjustment of zero", adjusted({ delta: "0" }), "adjustments[0].delta: must not be 0"],
  [
    "a burn of more than the bucket has",
    adjusted({ delta: "-1000.00000001" }),
    "adjustments: community is -0.00000001 in 2025-03, below 0",
  ],
  [
    "a mint over the maximum",
    adjusted({ kind: "mint", delta: "0.00000001" }),
    "adjustments: circulating is 1000.00000001 in 2025-03, over max_supply",
  ],
  [
    "a mint over the maximum on the days before a step that takes it back",
    file({
      start: "2026-01-01",
      buckets: [
        bucket({ genesis: "100", phases: [{ kind: "linear", amount: "900", from: "2026-01-01", to: "2026-02-28" }] }),
      ],
      adjustments: [
        { ...BURN, kind: "mint", month: "2026-02", delta: "100" },
        { ...BURN, month: "2026-03", delta: "-100" },
      ],
    }),
    "adjustments: circulating is 1100 on 2026-02-28, over max_supply",
  ],
  ["an empty table", table(), "table: must contain at least one month"],
  [
    "a table from before the start",
    table(["2025-01", "1"], ["2025-02", "1"]),
    "table[0].month: 2025-01 is before the start, 2025-02",
  ],
  ["a table that begins late", table(["2025-03", "1"]), "table[0].month: 2025-03 where 2025-02 is missing"],
  ["a missing month", table(["2025-02", "1"], ["2025-04", "1"]), "table[1].month: 2025-04 where 2025-03 is missing"],
  ["a repeated month", table(["2025-02", "1"], ["2025-02", "1"]), "table[1].month: 2025-02 is repeated"],
  [
    "months out of order",
    table(["2025-02", "1"], ["2025-03", "1"], ["2025-02", "1"]),
    "table[2].month: 2025-02 is out of order, after 2025-03",
  ],
  [
    "a falling figure",
    table(["2025-02", "2"], ["2025-03", "1.5"]),
    "table[1].circulating: 1.5 falls below 2 of the month before",
  ],
  ["a figure over the maximum", table(["2025-02", "1000.5"]), "table[0].circulating: 1000.5 is over max_supply 1000"],
  [
    "a table whose start precedes its step",
    { ...table(["2025-02", "1"]), step_day: 14 },
    "start: must not precede step_day",
  ],
];
