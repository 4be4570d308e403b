/** Capabilities of a deployment, by its settings and its schedule. */
export interface Capabilities {
  /** Whether a chain is read. */
  readonly chain: boolean;
  readonly stableToken: boolean;
  /** Whether tokens unlock by a published plan; otherwise the schedule file is wallets alone. */
  readonly unlocks: boolean;
  /** Whether a phase of the schedule counts days, so that a figure of each day differs from the monthly one. */
  readonly dayPhases: boolean;
  /** Whether the token has a maximum. */
  readonly maximum: boolean;
  /** Whether the schedule states whose tokens do not circulate. */
  readonly wallets: boolean;
  /**
   * Whether an allocation with locked tokens lists a wallet. Otherwise nobody can see whether more circulates than
   * planned.
   */
  readonly watchedPlan: boolean;
  /** Whether an allocation that lists no wallet has locked tokens, beside an allocation that lists one. */
  readonly unwatchedLocks: boolean;
  /** Whether every listed wallet is on a chain of the token; otherwise a sum over wallets would be wrong. */
  readonly walletsOnChain: boolean;
  /** Whether all chains of the token are read. */
  readonly everyChain: boolean;
  /** Whether the supply of a second or later chain is bridged. */
  readonly bridged: boolean;
  /** Whether the schedule lists wallets or constants of category `burn`. */
  readonly burnWallets: boolean;
  /** Whether the schedule states that the whole maximum was minted once, so that what is missing was burned. */
  readonly mintedOnce: boolean;
  /** Whether native staking is read. */
  readonly staking: boolean;
  /** Whether yield products are published. */
  readonly yields: boolean;
}

/** Unit of a figure that is not an amount of tokens. */
export type Unit = "percent";
/** Decimals of percentages: they are integers of this scale, as amounts are of the token's decimals. */
export const PERCENT_DECIMALS = 5;

interface FigureDefinition {
  readonly name: string;
  /** Subject of a sentence about the figure; absent: derived from the name. */
  readonly title?: string;
  /** Source of the figure: the published schedule, or a reading of the native or the stable token. */
  readonly source: "schedule" | "native" | "stable";
  /** Unit of the figure; absent: tokens. */
  readonly unit?: Unit;
  /** Whether the history has a row of the figure for each day. */
  readonly recorded: boolean;
  /**
   * Label of the figure's badge. null: the figure has neither a badge nor a bare number and is only part of other
   * responses.
   */
  readonly badge: string | null;
  /** Capabilities that the figure needs besides its source; absent: none. */
  readonly needs?: readonly (keyof Capabilities)[];
  /** Capability of few tokens, without which the history does not even say that the figure is absent. */
  readonly mentionedWith?: keyof Capabilities;
  /** Name of the figure whose amount this figure has without an unlock schedule; absent: its own. */
  readonly withoutUnlocks?: string;
}

const ROWS = [
  {
    name: "circulating_supply",
    source: "schedule",
    recorded: false,
    badge: "circulating supply",
    withoutUnlocks: "circulating_supply_on_chain",
  },
  {
    name: "circulating_supply_daily",
    title: "The circulating supply of the day",
    source: "schedule",
    recorded: false,
    badge: "circulating today",
    needs: ["unlocks", "dayPhases"],
  },
  {
    name: "max_supply",
    title: "The maximum supply",
    source: "schedule",
    recorded: false,
    badge: "maximum supply",
    needs: ["maximum"],
  },
  {
    name: "circulating_supply_on_chain",
    source: "native",
    recorded: true,
    badge: "circulating on chain",
    needs: ["wallets", "walletsOnChain"],
  },
  {
    name: "circulating_supply_hybrid",
    title: "The circulating supply by chain and schedule",
    source: "native",
    recorded: true,
    badge: "circulating hybrid",
    needs: ["unlocks", "wallets", "walletsOnChain", "unwatchedLocks"],
    mentionedWith: "unwatchedLocks",
  },
  {
    name: "circulating_supply_above_plan",
    source: "native",
    recorded: true,
    badge: "above plan",
    needs: ["unlocks", "wallets", "walletsOnChain", "watchedPlan"],
  },
  {
    name: "burned_supply",
    source: "native",
    recorded: true,
    badge: "burned",
    needs: ["burnWallets"],
  },
  {
    name: "burned_by_contract",
    title: "The amount burned by the contract",
    source: "native",
    recorded: true,
    badge: "burned by contract",
    needs: ["mintedOnce"],
    mentionedWith: "mintedOnce",
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
    mentionedWith: "bridged",
  },
] as const satisfies readonly FigureDefinition[];

/**
 * Table of all figures. Paths, history, badges, documents and tools follow from it; the problems that health reports do
 * not.
 */
export const FIGURES = ROWS.map((row) => {
  const { name, badge }: FigureDefinition = row;
  return {
    title: `The ${name.replaceAll("_", " ")}`,
    ...row,
    /** Path of the bare number; null: there is no such path. */
    path: badge === null ? null : `/api/${name.replaceAll("_", "-")}`,
  };
});

type TableRow = (typeof FIGURES)[number];
/** Row of a figure that is read from a chain, by the token that it counts. */
export type ChainFigureRow<Source = "native" | "stable"> = Extract<TableRow, { readonly source: Source }>;
export type RecordedFigure = Extract<TableRow, { readonly recorded: true }>["name"];

export const RECORDED_FIGURES: readonly RecordedFigure[] = FIGURES.flatMap(({ name, recorded }) =>
  recorded ? [name] : [],
);

/** Returns the unit of a figure, by its name or its row. */
export function unitOf({ name }: { readonly name: string }): Unit | undefined {
  const row: FigureDefinition | undefined = FIGURES.find((each) => each.name === name);
  return row?.unit;
}

/** Returns the decimals of a figure's integers. */
export function decimalsOf(figure: { readonly name: string }, tokenDecimals: number): number {
  return unitOf(figure) === "percent" ? PERCENT_DECIMALS : tokenDecimals;
}

/** Returns the row whose amount a figure has in a deployment: its own, or without an unlock schedule another one. */
export function amountRow(row: TableRow, capabilities: Pick<Capabilities, "unlocks">): TableRow {
  return substituteOf(row, capabilities) ?? row;
}

function substituteOf(
  { withoutUnlocks }: Pick<FigureDefinition, "source" | "withoutUnlocks">,
  { unlocks }: Pick<Capabilities, "unlocks">,
) {
  return unlocks ? undefined : FIGURES.find(({ name }) => name === withoutUnlocks);
}

/** End of the sentence about a wallet on a chain that is not among the token's. */
export const ON_UNREAD_CHAIN = "this deployment does not read; the operator can take it out of the schedule";

const NOT_OFFERED: Readonly<Record<keyof Capabilities, string>> = {
  unlocks: "This token has no unlock schedule: what circulates is the total less the listed wallets.",
  dayPhases:
    "The schedule has no allocation that unlocks by days, so the figure changes once a month: /api/circulating-supply.",
  maximum: "This token has no maximum supply.",
  chain: "This deployment reads no chain.",
  stableToken: "This deployment has no stable token.",
  wallets: "The schedule lists no wallet of the project, so it is not known what circulates on chain.",
  watchedPlan:
    "No allocation with locked tokens lists a wallet, so it is not known whether more circulates on chain than planned.",
  unwatchedLocks:
    "The schedule has no allocation with locked tokens and without a wallet, beside one that lists a wallet.",
  walletsOnChain: `The schedule lists a wallet on another chain, which ${ON_UNREAD_CHAIN}.`,
  everyChain: "This deployment does not read every chain of the token, so that no sum over them is known.",
  bridged: "The schedule lists no bridged chain.",
  burnWallets: "The schedule lists no wallet or constant of category burn.",
  mintedOnce:
    "The schedule has no statement that the whole maximum was minted once, so it is not known what was burned.",
  staking: "This deployment does not read native staking.",
  yields: "This deployment lists no yield products.",
};

/** States why a deployment does not have a figure; null: it has the figure. */
export function whyNotOffered(
  row: Pick<FigureDefinition, "source" | "needs" | "withoutUnlocks">,
  capabilities: Capabilities,
): string | null {
  const { source, needs = [] }: typeof row = substituteOf(row, capabilities) ?? row;
  const needed: readonly (keyof Capabilities)[] = source === "schedule" ? needs : ["chain", ...needs];
  // Only the first chain has native staking, so a staking figure does not need the other chains.
  if (source === "native" && capabilities.chain && !capabilities.everyChain && !needs.includes("staking"))
    return NOT_OFFERED.everyChain;
  const missing = needed.find((each) => !capabilities[each]);
  return missing === undefined ? null : NOT_OFFERED[missing];
}

/** Capabilities that paths other than those of figures need. */
const NEEDS: readonly (readonly [path: string, needs: keyof Capabilities])[] = [
  ["/api/supply", "unlocks"],
  ["/api/unlock-schedule", "unlocks"],
  ["/api/unlock-schedule.csv", "unlocks"],
  ["/api/allocations", "unlocks"],
  ["/api/unlock-events", "unlocks"],
  ["/api/unlock-events.csv", "unlocks"],
  ["/api/unlock-events.ics", "unlocks"],
  ["/api/supply-breakdown", "chain"],
  ["/api/rates", "yields"],
  ["/api/rates/:id", "yields"],
  ["/api/rates/:id/history", "yields"],
  ["/api/badge/apy::id.json", "yields"],
];

/**
 * Lists the paths that a deployment does not have, each with the sentence of its 404. Routes and documents follow this
 * list.
 */
export function pathsNotOffered(capabilities: Capabilities): ReadonlyMap<string, string> {
  const rows = [
    ...FIGURES.map((row) => [row.path, whyNotOffered(row, capabilities)] as const),
    ...NEEDS.map(([path, needs]) => [path, capabilities[needs] ? null : NOT_OFFERED[needs]] as const),
  ];
  return new Map(rows.flatMap(([path, why]) => (path === null || why === null ? [] : [[path, why] as const])));
}
