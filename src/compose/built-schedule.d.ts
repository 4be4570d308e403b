/**
 * Data that the build writes from schedule/native.json and addresses.json, after validation (tools/schedule/build.ts).
 */
declare module "*/dist/schedule.js" {
  /** Registered addresses; null: there are none. */
  export const addresses: import("../addresses/registered-address.ts").AddressFile | null;
  export const schedule: import("../supply/schedule.ts").Schedule;
}
