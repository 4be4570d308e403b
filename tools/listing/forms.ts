/** A file that a tracker or an exchange asks for. Its columns are data: a form that changes is an edit of this table. */
export interface Form {
  readonly file: string;
  readonly recipient: string;
  readonly source: string;
  /** The day of the copy that was read. */
  readonly readOn: string;
  /** Whether `columns` are the source's own names; otherwise the source describes the columns without naming them. */
  readonly isVerbatim: boolean;
  readonly columns: readonly string[];
  /** Columns that are empty because neither schedule nor chain has their values, and why. */
  readonly byHand: string;
}

const CMC = "https://support.coinmarketcap.com/hc/en-us/articles/360043396252";

export const FORMS = {
  cmcSupply: {
    file: "coinmarketcap-annex-c-supply.csv",
    recipient: "CoinMarketCap, Annex C, supply",
    source: `Annex C of ${CMC}, as a listing dossier describes it`,
    readOn: "2026-09-03",
    isVerbatim: false,
    columns: ["Item", "Old", "New"],
    byHand: "Old: what CoinMarketCap displays now; Richlist URL: the page of your explorer that ranks holders",
  },
  cmcWallets: {
    file: "coinmarketcap-annex-c-wallets.csv",
    recipient: "CoinMarketCap, Annex C, wallets",
    source: `Annex C of ${CMC}, as a listing dossier describes it`,
    readOn: "2026-09-03",
    isVerbatim: false,
    columns: [
      "Address",
      "Amount",
      "% of supply",
      "Owner",
      "Locked/unlocked",
      "Allocation",
      "Future use",
      "Date of distribution (DD/MM/YYYY)",
      "Proof",
    ],
    byHand: "Future use: your plan for the tokens; mark the reserved addresses in red, as the sheet asks",
  },
  cmcUnlocks: {
    file: "coinmarketcap-annex-m.csv",
    recipient: "CoinMarketCap, Annex M, unlock schedule",
    source: `Annex M of ${CMC}, as a listing dossier quotes it`,
    readOn: "2026-09-03",
    isVerbatim: true,
    columns: [
      "allocationName",
      "startDate",
      "endDate",
      "vestingType",
      "vestingEvery",
      "vestingFrequency",
      "rate",
      "tokenAmount",
    ],
    byHand: "rate: the source does not say of what; a burn is a row of type deflationary",
  },
  coingeckoWallets: {
    file: "coingecko-locked-wallets.csv",
    recipient: "CoinGecko, supply form, locked wallets",
    source: "https://support.coingecko.com/hc/en-us/articles/32227012396441",
    readOn: "2026-11-22",
    isVerbatim: false,
    columns: ["Address", "Label", "Amount", "% of total supply", "Held as", "Explorer"],
    byHand: "",
  },
  coingeckoBurns: {
    file: "coingecko-burn-wallets.csv",
    recipient: "CoinGecko, supply form, burn wallets",
    source: "https://support.coingecko.com/hc/en-us/articles/32227012396441",
    readOn: "2026-11-22",
    isVerbatim: false,
    columns: ["Address", "Label", "Amount", "Explorer"],
    byHand: "",
  },
  /** One column per category of the schedule stands between the two. */
  xangle: {
    file: "xangle-cumulative.csv",
    recipient: "Xangle, circulation plan by category, cumulative",
    source: "https://docs.erp.xangle.io",
    readOn: "2026-11-22",
    isVerbatim: false,
    columns: ["Date", "Total"],
    byHand: "",
  },
  upbit: {
    file: "upbit.json",
    recipient: "Upbit, supply record in each of five currencies",
    source: "https://github.com/hirosystems/stacks-blockchain-api/issues/1796",
    readOn: "2026-11-22",
    isVerbatim: true,
    columns: [
      "symbol",
      "currencyCode",
      "price",
      "marketCap",
      "accTradePrice24h",
      "circulatingSupply",
      "maxSupply",
      "provider",
      "lastUpdatedTimestamp",
    ],
    byHand: "prices are null: the project states none; provider: the name that Upbit has assigned, if it is another",
  },
  defillama: {
    file: "defillama.ts",
    recipient: "DefiLlama, emissions adapter",
    source: "https://github.com/DefiLlama/emissions-adapters",
    readOn: "2026-11-22",
    isVerbatim: true,
    columns: [],
    byHand: "token, protocolIds: as the reviewers of the pull request say",
  },
} as const satisfies Readonly<Record<string, Form>>;

/** Upbit asks for a record in each. */
export const UPBIT_CURRENCIES = ["KRW", "USD", "IDR", "SGD", "THB"] as const;
