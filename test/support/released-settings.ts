/** The settings of a deployed environment that are released with another value than the local one. */
const DEPLOYED: Readonly<Record<string, string>> = { METRICS_SAMPLE_RATE: "0.01" };
/** Released empty everywhere. */
const OPERATORS: Readonly<Record<string, string>> = { RATES_URL: "", CHAIN_ID: "" };
const SETTINGS = /^([A-Z][A-Z_]*) = "([^"]*)"/gm;

/** The text of `wrangler.toml` with the names, routes and settings that it is released with; the rest stays. */
export function asReleased(text: string): string {
  const sections = text.split(/^(?=\[)/m);
  const vars = sections.find((section) => section.startsWith("[vars]")) ?? "";
  const local = Object.fromEntries([...vars.matchAll(SETTINGS)].map(([, name = "", value = ""]) => [name, value]));
  return sections
    .map((section) => {
      const [, environment] = /^\[+env\.(\w+)/.exec(section) ?? [];
      const released = environment === undefined ? {} : { ...local, ...DEPLOYED, ENVIRONMENT: environment };
      if (/^\[\[(env\.\w+\.)?routes\]\]/.test(section)) return "";
      if (/^\[(env\.\w+\.)?vars\]/.test(section)) return withValues(section, { ...released, ...OPERATORS });
      if (section.startsWith("[") && !/^\[env\.\w+\]/.test(section)) return section;
      return section
        .replace(/^routes? = (\[[^\]]*\]|.*)\n/gm, "")
        .replace(/^name = ".*"$/m, `name = "${["edge-api", environment ?? []].flat().join("-")}"`);
    })
    .join("");
}

function withValues(section: string, values: Readonly<Record<string, string>>): string {
  return section.replace(SETTINGS, (_line, name: string, value: string) => `${name} = "${values[name] ?? value}"`);
}
