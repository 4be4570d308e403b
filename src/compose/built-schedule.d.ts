/** Written by the build from schedule/native.json, after validation (tools/schedule/build.ts). */
declare module "*/dist/schedule.js" {
  export const schedule: import("../supply/schedule.ts").Schedule;
}
