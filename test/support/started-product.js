import "./started-workers.js";

/** As `started-workers.js`: what the tests start with the tools, and in a browser. */
export const STARTED = [
  () => import("../../tools/start.ts"),
  () => import("../../tools/start/prepare.ts"),
  () => import("../../tools/deploy.ts"),
  () => import("../../tools/dev.ts"),
  () => import("../../tools/doctor.ts"),
  () => import("../../tools/listing.ts"),
  () => import("../../tools/trackers.ts"),
  () => import("../../page/build/vite-config.ts"),
  () => import("../../page/src/main.ts"),
  () => import("../../page/src/docs.ts"),
  () => import("../../page/embed/embed.ts"),
];
