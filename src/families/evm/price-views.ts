/** View that reports what shares are worth. */
interface PriceView {
  /** First four bytes of the signature's hash, as hex digits. */
  readonly selector: string;
  /** Whether the view is asked about an amount of shares; otherwise it reports a rate. */
  readonly takesShares: boolean;
}

/**
 * Views that a share's price may be read by. A signature is added only with its contract's source as evidence that the
 * value grows with the yield.
 */
export const PRICE_VIEWS: Readonly<Record<string, PriceView>> = {
  // ERC-4626.
  "convertToAssets(uint256)": { selector: "07a2d13a", takesShares: true },
  // stETH (Lido).
  "getPooledEthByShares(uint256)": { selector: "7a28fb88", takesShares: true },
  // wstETH (Lido), rETH (Rocket Pool), cbETH (Coinbase).
  "stEthPerToken()": { selector: "035faf82", takesShares: false },
  "getExchangeRate()": { selector: "e6aa216c", takesShares: false },
  "exchangeRate()": { selector: "3ba0b9a9", takesShares: false },
  // Rate provider (Balancer), which many liquid staking tokens have.
  "getRate()": { selector: "679aefce", takesShares: false },
  // Vaults (Yearn) and their earlier form (Beefy).
  "pricePerShare()": { selector: "99530b06", takesShares: false },
  "getPricePerFullShare()": { selector: "77c7b8fc", takesShares: false },
};
