/** The deployment's address: its custom domain, else the first https address reported by wrangler; null: none. */
export function addressOf(config: Readonly<Record<string, unknown>>, reported: readonly string[]): string | null {
  const routes = Array.isArray(config["routes"]) ? (config["routes"] as readonly unknown[]) : [];
  const domain = routes.flatMap((route) =>
    typeof route === "object" && route !== null && "custom_domain" in route && route.custom_domain === true
      ? "pattern" in route && typeof route.pattern === "string"
        ? [route.pattern]
        : []
      : [],
  )[0];
  if (domain !== undefined) return `https://${domain}`;
  const target = reported.find((each) => each.startsWith("https://"));
  return target === undefined ? null : new URL(target).origin;
}
