import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import type { Brand } from "../view/site.ts";

const PUBLIC = join(import.meta.dirname, "..", "public");
/** Widths of the icons that browsers and phones ask for at fixed addresses. */
const [FAVICON_PX, TOUCH_PX] = [32, 180];
/** Share of the icon of a phone's home screen that the logo fills. */
const LOGO_SHARE = 0.75;

/**
 * Draws the icons that are asked for without being named: of browsers' tabs, and of phones' home screens. The
 * operator's own files in `page/public` replace them.
 */
export function iconFiles({ logo, colors }: Brand): Readonly<Record<string, Uint8Array>> {
  const type = logo.endsWith(".svg") ? "svg+xml" : "png";
  const image = `data:image/${type};base64,${readFileSync(join(PUBLIC, logo)).toString("base64")}`;
  const draw = (width: number, share: number, ground: string): Uint8Array => {
    const [size, edge] = [width * share, (width * (1 - share)) / 2];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}">${ground}<image href="${image}" x="${edge}" y="${edge}" width="${size}" height="${size}"/></svg>`;
    return new Resvg(svg).render().asPng();
  };
  const ground = `<rect width="100%" height="100%" fill="${colors.light.background}"/>`;
  const icons = {
    "favicon.ico": icoOf(draw(FAVICON_PX, 1, "")),
    "apple-touch-icon.png": draw(TOUCH_PX, LOGO_SHARE, ground),
  };
  return Object.fromEntries(Object.entries(icons).filter(([name]) => !existsSync(join(PUBLIC, name))));
}

/** Writes the container of an icon file around one PNG: a header of six bytes, and an entry of sixteen. */
function icoOf(png: Uint8Array): Uint8Array {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // an icon
  head.writeUInt16LE(1, 4); // with one picture
  head.writeUInt8(FAVICON_PX, 6);
  head.writeUInt8(FAVICON_PX, 7);
  head.writeUInt16LE(1, 10); // colour planes
  head.writeUInt16LE(32, 12); // bits of a pixel
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
