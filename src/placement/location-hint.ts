import { LOCATION_HINTS, type LocationHint } from "../config.ts";

/** Region of an object. `world` is for callers without geography; its objects are created in the home region. */
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
 * Countries that another region serves better than their continent's, by measured time to first byte of a new object
 * for each data centre and hint (where.durableobjects.live, January 2026). Objects never move, so a change here creates
 * new ones. Measure again once deployed.
 */
const BY_COUNTRY: ReadonlyMap<unknown, Region> = new Map([
  ...allOf("eeur", "BG BY CZ EE FI GR HU IT LT LV MD PL RO RS RU SK UA"),
  ...allOf("eeur", "AM AZ GE KG KZ MN TJ TM UZ"),
  ...allOf("weur", "BH IL IQ IR JO KW LB PS QA SA SY TR YE"),
  ...allOf("apac", "AE OM"),
  ...allOf("apac-ne", "HK JP KR TW"),
  ...allOf("apac-se", "ID IN MY PH SG TH VN"),
]);

/** West of this meridian, as in Dallas, Austin and Omaha, the western data centres of North America are closer. */
const WEST_OF_LONGITUDE = -95.5;
const ACROSS_THE_MERIDIAN: readonly unknown[] = ["US", "CA"];

/**
 * Region of a request, from the platform's geography (`request.cf`). The geography follows the caller's address, not
 * the data centre, so an address has one region wherever it connects. If the platform moves an address, its caller gets
 * another quota in the new region.
 */
export function locationHintOf(cf: object | undefined): Region {
  if (cf === undefined) return "world";
  const country = "country" in cf ? cf.country : undefined;
  const continent = "continent" in cf ? cf.continent : undefined;
  const region = BY_COUNTRY.get(country) ?? BY_CONTINENT.get(continent) ?? "world";
  const isWestern = "longitude" in cf && Number(cf.longitude) < WEST_OF_LONGITUDE;
  return isWestern && ACROSS_THE_MERIDIAN.includes(country) ? "wnam" : region;
}

/**
 * Options for creating an object in a region. Every call passes them, because the first call decides the place for
 * good.
 */
export function placement(region: string, home: LocationHint): { readonly locationHint: LocationHint } {
  return { locationHint: LOCATION_HINTS.find((hint) => hint === region) ?? home };
}

function allOf(region: Region, countries: string): [string, Region][] {
  return countries.split(" ").map((country) => [country, region]);
}
