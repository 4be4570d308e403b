import { readBrand } from "../../page/build/brand.ts";
import type { ChainFamily } from "../../src/families/family.ts";
import type { Token } from "../../src/supply/schedule.ts";

/** Notes that link previews lack a picture: it needs an absolute URL, which a build for any host does not know. */
export function previewNotes(token: Token, family: ChainFamily): readonly string[] {
  const { url } = readBrand(token, family);
  return url === undefined ? ["page/brand.json has no url: previews of links to the page have no picture"] : [];
}
