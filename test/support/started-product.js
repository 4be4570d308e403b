import "./started-workers.js";

/** Names the tools and pages that tests start, as `started-workers.js` does for Workers. */
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
