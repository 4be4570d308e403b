import { parse, stringify, type TomlTable } from "smol-toml";

/** Rewrites a `wrangler.toml` with the Worker's name, addresses and settings as released; the rest stays. */
export function asReleased(text: string, name: string): string {
  const { env = {}, ...local } = parse(text);
  const environments = Object.entries(env as Record<string, TomlTable>).map(([environment, section]) => {
    const settings = withDefaults(section, { ENVIRONMENT: environment });
    return [environment, { ...settings, name: `${name}-${environment}`, workers_dev: environment !== "production" }];
  });
  return stringify({ ...withDefaults(local, {}), name, env: Object.fromEntries(environments) });
}

/** Settings that a section leaves out have their defaults. */
function withDefaults({ route: _route, routes: _routes, ...section }: TomlTable, vars: TomlTable): TomlTable {
  return { ...section, vars };
}
