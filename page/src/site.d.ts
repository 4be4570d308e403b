/** What the page knows of the deployment besides the schedule: one export each, so that an embed carries only its own. */
declare module "virtual:site" {
  type Site = import("../../schedule-format/site.ts").Site;
  export const brand: Site["brand"];
  export const series: Site["series"];
  export const paths: Site["paths"];
  export const token: Site["token"];
  export const family: Site["family"];
  export const versionWord: Site["versionWord"];
  export const legs: Site["legs"];
  export const hasMove: Site["hasMove"];
  export const hasEvm: Site["hasEvm"];
  export const nodes: Site["nodes"];
  export const yields: Site["yields"];
}
declare module "virtual:schedule" {
  /** The deployment's schedule, as `parseSchedule` reads it. */
  export const text: string;
}
