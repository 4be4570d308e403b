/** Where a caller's log lives. The names are the platform's location hints; `world` is for callers without geography. */
export type Region = DurableObjectLocationHint | "world";

const BY_CONTINENT: ReadonlyMap<unknown, Region> = new Map([
  ["AF", "afr"],
  ["AN", "oc"],
  ["AS", "apac"],
  ["EU", "weur"],
  ["NA", "enam"],
  ["OC", "oc"],
  ["SA", "sam"],
]);

/** Countries that another region serves better than their continent's. */
const BY_COUNTRY: ReadonlyMap<unknown, Region> = new Map([
  ...allOf("eeur", "BG BY CZ EE FI GR HU LT LV MD PL RO RS RU SK UA"),
  ...allOf("me", "AE BH IL IQ IR JO KW LB OM PS QA SA SY TR YE"),
]);

/** West of this meridian North America is nearer to its western data centres. */
const WEST_OF_LONGITUDE = -103;

/**
 * From the platform's own description of a request (`request.cf`), which follows the caller's address and not the data
 * centre that it reached: one address is in one region wherever it lands. Should the platform change its mind about an
 * address, that caller has one quota in each region.
 */
export function locationHintOf(cf: object | undefined): Region {
  if (cf === undefined) return "world";
  const country = "country" in cf ? cf.country : undefined;
  const continent = "continent" in cf ? cf.continent : undefined;
  const region = BY_COUNTRY.get(country) ?? BY_CONTINENT.get(continent) ?? "world";
  return region === "enam" && "longitude" in cf && Number(cf.longitude) < WEST_OF_LONGITUDE ? "wnam" : region;
}

function allOf(region: Region, countries: string): [string, Region][] {
  return countries.split(" ").map((country) => [country, region]);
}
