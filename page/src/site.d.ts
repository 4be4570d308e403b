/**
 * Facts of the deployment besides the schedule. Each is an export of its own, so an embed contains only those that it
 * uses.
 */
declare module "virtual:site" {
  type Site = import("../view/site.ts").Site;
  export const brand: Pick<Site["brand"], "name" | "explorer" | "url">;
  export const series: Site["series"];
  /** Constants: the build removes code for what the deployment does not have. */
  export const hasUnlocks: boolean;
  export const maximum: Site["maximum"];
  export const hasChain: boolean;
  export const hasYields: boolean;
  export const token: Site["token"];
  export const hasBlockPages: Site["hasBlockPages"];
  export const chains: Site["chains"];
  export const nodes: Site["nodes"];
  export const yields: Site["yields"];
}
declare module "virtual:schedule" {
  /** Text of the deployment's schedule, for `parseSchedule`. */
  export const text: string;
}
