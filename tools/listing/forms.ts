/** File that a tracker or an exchange asks for. Its columns are data, so a changed form is an edit of this table. */
export interface Form {
  readonly file: string;
  readonly recipient: string;
  readonly source: string;
  /** Day on which we read the source. */
  readonly readOn: string;
  /** Whether `columns` are the source's own names. Otherwise the source only describes the columns. */
  readonly isVerbatim: boolean;
  readonly columns: readonly string[];
  /** Questions that are the form's rows; absent: the form is a table. */
  readonly questions?: readonly string[];
  /** Columns to fill in by hand, because neither schedule nor chain has their values. */
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
    byHand: "rate: the source does not define it; a burn is a row of type deflationary",
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
  coingeckoSupply: {
    file: "coingecko-supply.csv",
    recipient: "CoinGecko, supply form, figures",
    source: "https://support.coingecko.com/hc/en-us/articles/32227012396441",
    readOn: "2026-11-28",
    isVerbatim: false,
    columns: ["Question", "Answer"],
    questions: [
      "Max Supply",
      "Total Supply: Max Supply less burned tokens",
      "Total Supply by its methodology: on-chain supply less burned tokens",
      "Burn Token Wallet",
      "Burned without a wallet: amount and evidence",
      "Circulating Supply: on-chain Total Supply less uncirculated wallets",
      "Total Supply API",
      "Circulating Supply API",
    ],
    byHand: "",
  },
  /** Only for a token on several chains. */
  coingeckoChains: {
    file: "coingecko-chains.csv",
    recipient: "CoinGecko, a token on several chains",
    source: "https://support.coingecko.com/hc/en-us/articles/35567073957145",
    readOn: "2026-11-28",
    isVerbatim: false,
    columns: [
      "Chain",
      "Contract",
      "How it is issued there",
      "Supply there",
      "Burned there",
      "Of that in the total supply",
      "Uncirculated wallets there",
    ],
    byHand: "names of the chains, as CoinGecko calls them; Contract of the first chain",
  },
  coinranking: {
    file: "coinranking-supply-modifiers.csv",
    recipient: "Coinranking, supply modifiers: what is subtracted from all that was minted",
    source: "https://developers.coinranking.com/api/documentation/coins/coin-supply-modifiers",
    readOn: "2026-11-28",
    isVerbatim: true,
    columns: ["blockchainName", "blockExplorerUrl", "name", "reference", "amount"],
    byHand: "blockchainName of the first chain: as Coinranking calls it",
  },
  transparency: {
    file: "token-transparency-framework-supply.csv",
    recipient: "Token Transparency Framework, its part on supply",
    source: "https://blockworks.co/news/token-transparency-framework",
    readOn: "2026-11-28",
    isVerbatim: false,
    columns: ["Question", "Answer"],
    questions: [
      "Supply: maximum, total, circulating",
      "Supply schedule",
      "Allocations",
      "Vesting of each allocation",
      "Changes to the schedule",
      "Holdings of foundation and treasury",
      "Whether locked tokens can be staked",
      "Buyers of each private allocation, and prices",
    ],
    byHand: "the framework's parts on project, market structure and finances, which no schedule has",
  },
  planAndFacts: {
    file: "exchange-plan-and-facts.csv",
    recipient: "exchanges that hold a circulation plan: the plan by month beside what was recorded",
    source: "https://www.fintechpost.co.kr/news/articleView.html?idxno=162143",
    readOn: "2026-11-28",
    isVerbatim: false,
    columns: [
      "From (UTC)",
      "Planned circulating supply",
      "Circulating supply on chain",
      "Difference",
      "Difference, % of plan",
      "Read on (UTC)",
      "Ledger version",
      "Adjustments of the plan",
    ],
    byHand: "",
  },
  /** Each category of the schedule has a column of its own between the two of this row. */
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

/** Currencies for which Upbit asks a record each. */
export const UPBIT_CURRENCIES = ["KRW", "USD", "IDR", "SGD", "THB"] as const;
