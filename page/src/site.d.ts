declare module "virtual:site" {
  export const site: import("../../tools/page/site.ts").Site;
}
