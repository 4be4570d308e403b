declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  const bundle: ((options: Readonly<Record<string, unknown>>) => unknown) & {
    readonly presets: { readonly apis: unknown };
  };
  export default bundle;
}
declare module "swagger-ui-dist/swagger-ui-standalone-preset.js" {
  const preset: unknown;
  export default preset;
}
