import { LOCATION_HINTS, type LocationHint } from "../config.ts";

/** Where an object is located. `world` is for callers without geography, in the home region. */
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
 * Countries served better by another region than their continent's: measured time to first byte of a new object, by
 * data centre and hint, January 2026 (where.durableobjects.live). Measure again once deployed; objects never move, so a
 * change here creates new ones.
 */
const BY_COUNTRY: ReadonlyMap<unknown, Region> = new Map([
  ...allOf("eeur", "BG BY CZ EE FI GR HU IT LT LV MD PL RO RS RU SK UA"),
  ...allOf("eeur", "AM AZ GE KG KZ MN TJ TM UZ"),
  ...allOf("weur", "BH IL IQ IR JO KW LB PS QA SA SY TR YE"),
  ...allOf("apac", "AE OM"),
  ...allOf("apac-ne", "HK JP KR TW"),
  ...allOf("apac-se", "ID IN MY PH SG TH VN"),
]);

/** West of this meridian the western data centres of North America are closer: Dallas, Austin, Omaha. */
const WEST_OF_LONGITUDE = -95.5;
const ACROSS_THE_MERIDIAN: readonly unknown[] = ["US", "CA"];

/**
 * Uses the platform's geography of the request (`request.cf`), which follows the caller's address rather than the data
 * centre: one address has one region wherever it connects. If the platform changes an address's location, its caller
 * has one quota in each region.
 */
export function locationHintOf(cf: object | undefined): Region {
  if (cf === undefined) return "world";
  const country = "country" in cf ? cf.country : undefined;
  const continent = "continent" in cf ? cf.continent : undefined;
  const region = BY_COUNTRY.get(country) ?? BY_CONTINENT.get(continent) ?? "world";
  const isWestern = "longitude" in cf && Number(cf.longitude) < WEST_OF_LONGITUDE;
  return isWestern && ACROSS_THE_MERIDIAN.includes(country) ? "wnam" : region;
}

/** Options for creating an object in a region. Every call passes them: the first one decides for good. */
export function placement(region: string, home: LocationHint): { readonly locationHint: LocationHint } {
  return { locationHint: LOCATION_HINTS.find((hint) => hint === region) ?? home };
}

function allOf(region: Region, countries: string): [string, Region][] {
  return countries.split(" ").map((country) => [country, region]);
}
