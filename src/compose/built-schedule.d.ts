/** Written by the build from schedule/native.json and addresses.json, after validation (tools/schedule/build.ts). */
declare module "*/dist/schedule.js" {
  /** null: no address is registered. */
  export const addresses: import("../addresses/registered-address.ts").AddressFile | null;
  export const schedule: import("../supply/schedule.ts").Schedule;
}
