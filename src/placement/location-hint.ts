import { LOCATION_HINTS, type LocationHint } from "../config.ts";

/** Where an object lives. `world` is for callers without geography, and lives in the home region. */
export type Region = LocationHint | "world";

const BY_CONTINENT: ReadonlyMap<unknown, Region> = new Map([
  ["AF", "weur"],
  ["AN", "oc"],
  ["AS", "apac"],
  ["EU", "weur"],
  ["NA", "enam"],
  ["OC", "oc"],
  ["SA", "enam"],
]);

/**
 * Countries that another region serves better than their continent's: time to the first answer of a fresh object, by
 * data centre and hint, as measured from the network in January 2026 (where.durableobjects.live). To be measured again
 * once deployed; objects never move, so a change here begins new ones.
 */
const BY_COUNTRY: ReadonlyMap<unknown, Region> = new Map([
  ...allOf("eeur", "BG BY CZ EE FI GR HU IT LT LV MD PL RO RS RU SK UA"),
  ...allOf("eeur", "AM AZ GE KG KZ MN TJ TM UZ"),
  ...allOf("weur", "BH IL IQ IR JO KW LB PS QA SA SY TR YE"),
  ...allOf("apac", "AE OM"),
  ...allOf("apac-ne", "HK JP KR TW"),
  ...allOf("apac-se", "ID IN MY PH SG TH VN"),
]);

/** West of this meridian North America is nearer to its western data centres: Dallas, Austin and Omaha among them. */
const WEST_OF_LONGITUDE = -95.5;
const ACROSS_THE_MERIDIAN: readonly unknown[] = ["US", "CA"];

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
  const isWestern = "longitude" in cf && Number(cf.longitude) < WEST_OF_LONGITUDE;
  return isWestern && ACROSS_THE_MERIDIAN.includes(country) ? "wnam" : region;
}

/** What an object of a region is created with. Every use says so: the first one decides for good where it lives. */
export function placement(region: string, home: LocationHint): { readonly locationHint: LocationHint } {
  return { locationHint: LOCATION_HINTS.find((hint) => hint === region) ?? home };
}

function allOf(region: Region, countries: string): [string, Region][] {
  return countries.split(" ").map((country) => [country, region]);
}
