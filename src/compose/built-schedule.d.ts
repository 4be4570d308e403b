/**
 * Data that the build writes from schedule/native.json, addresses.json and rates.json, after validation (tools/schedule/build.ts).
 */
declare module "*/dist/schedule.js" {
  /** Registered addresses; null: there are none. */
  export const addresses: import("../addresses/registered-address.ts").AddressFile | null;
  /** Mapping of the listing at RATES_URL; null: its rows are in our format or DefiLlama's. */
  export const ratesMapping: import("../rates/mapping.ts").RatesMappingFile | null;
  export const schedule: import("../supply/schedule.ts").Schedule;
}
