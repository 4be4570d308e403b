import { readBrand } from "../../page/build/brand.ts";
import type { ChainFamily } from "../../src/families/family.ts";
import type { Token } from "../../src/supply/schedule.ts";

/** A preview of a link takes its picture from a whole address, which a build for any host does not know. */
export function previewNotes(token: Token, family: ChainFamily): readonly string[] {
  const { url } = readBrand(token, family);
  return url === undefined ? ["page/brand.json has no url: previews of links to the page have no picture"] : [];
}
