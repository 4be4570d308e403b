import { readBrand } from "../../page/build/brand.ts";
import { missingLinks } from "../../page/build/service-links.ts";
import type { ChainFamily } from "../../src/families/family.ts";
import type { Token } from "../../src/supply/schedule.ts";

/**
 * Notes what the brand lacks: the address that the picture of link previews needs, because a build for any host does not
 * know it, and the links of the service.
 */
export function brandNotes(token: Token, family: ChainFamily): readonly string[] {
  const brand = readBrand(token, family);
  const preview =
    brand.url === undefined ? ["page/brand.json has no url: previews of links to the page have no picture"] : [];
  return [...preview, ...missingLinks(brand)];
}
