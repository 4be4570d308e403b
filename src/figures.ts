/** How long a figure on chain is served from its last reading, while no newer reading is accepted. */
export const LAST_GOOD_SECONDS = 3_600;

/** What a deployment has, by its settings and its schedule. */
export interface Offer {
  /** A chain is read. */
  readonly chain: boolean;
  readonly stableToken: boolean;
  /** The schedule lists wallets whose tokens do not circulate. */
  readonly wallets: boolean;
  /** An allocation with locked tokens lists a wallet: without one nobody sees whether more circulates than planned. */
  readonly watchedPlan: boolean;
  /** Every listed wallet is on a chain of the token: without one a sum would be wrong. */
  readonly walletsOnChain: boolean;
  /** Each of the token's chains is read. */
  readonly everyChain: boolean;
  /** A further chain's supply is bridged. */
  readonly bridged: boolean;
  /** The schedule lists wallets of category `burn`. */
  readonly burnWallets: boolean;
  /** Native staking is read. */
  readonly staking: boolean;
  /** Yield products are published. */
  readonly yields: boolean;
}

/** What a figure counts that counts no tokens. */
export type Unit = "percent";
/** Percent are integers of this scale, as tokens are of the token's decimals. */
export const PERCENT_DECIMALS = 5;

interface FigureRow {
  readonly name: string;
  /** As the subject of a sentence; absent: its name. */
  readonly title?: string;
  /** Where it comes from: the published schedule, or a reading of the native or the stable token. */
  readonly source: "schedule" | "native" | "stable";
  /** Absent: tokens. */
  readonly unit?: Unit;
  /** Whether there is a row of it for each day. */
  readonly recorded: boolean;
  /** The label of its badge; null: it has neither a badge nor a bare number and is part of other answers only. */
  readonly badge: string | null;
  /** Besides its source; absent: nothing. */
  readonly needs?: readonly (keyof Offer)[];
}

const ROWS = [
  {
    name: "circulating_supply",
    source: "schedule",
    recorded: false,
    badge: "circulating supply",
  },
  {
    name: "max_supply",
    title: "The maximum supply",
    source: "schedule",
    recorded: false,
    badge: "maximum supply",
  },
  {
    name: "circulating_supply_on_chain",
    source: "native",
    recorded: true,
    badge: "circulating on chain",
    needs: ["wallets", "walletsOnChain"],
  },
  {
    name: "circulating_supply_above_plan",
    source: "native",
    recorded: true,
    badge: "above plan",
    needs: ["wallets", "walletsOnChain", "watchedPlan"],
  },
  {
    name: "burned_supply",
    source: "native",
    recorded: true,
    badge: "burned",
    needs: ["burnWallets"],
  },
  {
    name: "total_supply",
    source: "native",
    recorded: true,
    badge: "total supply",
  },
  {
    name: "staked_supply",
    source: "native",
    recorded: true,
    badge: "staked",
    needs: ["staking"],
  },
  {
    name: "staked_percent",
    title: "The staked share of the total supply",
    source: "native",
    unit: "percent",
    recorded: true,
    badge: "staked",
    needs: ["staking"],
  },
  {
    name: "yearly_emission",
    source: "native",
    recorded: true,
    badge: "yearly emission",
    needs: ["staking"],
  },
  {
    name: "stable_supply",
    source: "stable",
    recorded: true,
    badge: "stable token supply",
    needs: ["stableToken"],
  },
  {
    name: "non_circulating_supply",
    title: "The non-circulating supply",
    source: "native",
    recorded: true,
    badge: null,
    needs: ["wallets", "walletsOnChain"],
  },
  {
    name: "escrow_shortfall",
    source: "native",
    recorded: true,
    badge: "escrow shortfall",
    needs: ["bridged"],
  },
] as const satisfies readonly FigureRow[];

/** Every figure. Paths, history, badges, documents and tools follow from this table; problems of health do not. */
export const FIGURES = ROWS.map((row) => {
  const { name, badge }: FigureRow = row;
  return {
    title: `The ${name.replaceAll("_", " ")}`,
    ...row,
    /** Of its bare number. */
    path: badge === null ? null : `/api/${name.replaceAll("_", "-")}`,
  };
});

type Row = (typeof FIGURES)[number];
/** A figure that is read from the chain, by the token that it counts. */
export type ChainFigureRow<Source = "native" | "stable"> = Extract<Row, { readonly source: Source }>;
export type RecordedFigure = Extract<Row, { readonly recorded: true }>["name"];

export const RECORDED_FIGURES: readonly RecordedFigure[] = FIGURES.flatMap(({ name, recorded }) =>
  recorded ? [name] : [],
);

/** The unit of a figure, by its name or its row. */
export function unitOf({ name }: { readonly name: string }): Unit | undefined {
  const row: FigureRow | undefined = FIGURES.find((each) => each.name === name);
  return row?.unit;
}

/** The scale of a figure's integers. */
export function decimalsOf(figure: { readonly name: string }, tokenDecimals: number): number {
  return unitOf(figure) === "percent" ? PERCENT_DECIMALS : tokenDecimals;
}

const ABSENT: Readonly<Record<keyof Offer, string>> = {
  chain: "This deployment reads no chain.",
  stableToken: "This deployment has no stable token.",
  wallets: "The schedule lists no wallet of the project, so it is not known what circulates on chain.",
  watchedPlan:
    "No allocation with locked tokens lists a wallet, so it is not known whether more circulates on chain than planned.",
  walletsOnChain:
    "The schedule lists a wallet on another chain, and only this chain is read; the operator can take it out of the schedule.",
  everyChain: "This deployment does not read every chain of the token, so that no sum over them is known.",
  bridged: "The schedule lists no bridged chain.",
  burnWallets: "The schedule lists no wallet of category burn.",
  staking: "This deployment does not read native staking.",
  yields: "This deployment lists no yield products.",
};

/** Why a deployment does not have a figure; null: it has. */
export function whyAbsent({ source, needs = [] }: Pick<FigureRow, "source" | "needs">, offer: Offer): string | null {
  const needed: readonly (keyof Offer)[] = source === "schedule" ? needs : ["chain", ...needs];
  // What is staked is staked on the first chain.
  if (source === "native" && offer.chain && !offer.everyChain && !needs.includes("staking")) return ABSENT.everyChain;
  const missing = needed.find((each) => !offer[each]);
  return missing === undefined ? null : ABSENT[missing];
}

/** What other paths than those of figures need. */
const NEEDS: readonly (readonly [path: string, needs: keyof Offer])[] = [
  ["/api/supply-breakdown", "chain"],
  ["/api/rates", "yields"],
  ["/api/rates/:id", "yields"],
  ["/api/rates/:id/history", "yields"],
  ["/api/badge/apy::id.json", "yields"],
];

/** The paths that a deployment does not have, each with the sentence of its 404. Routes and documents follow it. */
export function absentPaths(offer: Offer): ReadonlyMap<string, string> {
  const rows = [
    ...FIGURES.map((row) => [row.path, whyAbsent(row, offer)] as const),
    ...NEEDS.map(([path, needs]) => [path, offer[needs] ? null : ABSENT[needs]] as const),
  ];
  return new Map(rows.flatMap(([path, why]) => (path === null || why === null ? [] : [[path, why] as const])));
}
