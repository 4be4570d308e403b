/** Windows of the means, in UTC days up to a day. A mean is null if fewer than `needed` days have a rate. */
export const MEAN_WINDOWS = {
  "7d": { days: 7, needed: 6 },
  "30d": { days: 30, needed: 25 },
  "90d": { days: 90, needed: 75 },
  "365d": { days: 365, needed: 305 },
} as const;

/** Rates that have means, by the end of a mean's name. */
export const MEAN_RATES = { "": "apy", _base: "apy_base", _reward: "apy_reward" } as const;

/** Name of a mean: `apy_mean_7d_base`. */
export type MeanName = `apy_mean_${keyof typeof MEAN_WINDOWS}${keyof typeof MEAN_RATES}`;

// Cast: one name for each window and rate.
export const MEAN_NAMES = Object.keys(MEAN_WINDOWS).flatMap((window) =>
  Object.keys(MEAN_RATES).map((rate) => `apy_mean_${window}${rate}`),
) as readonly MeanName[];
