import { crc32, deflateSync } from "node:zlib";
import { timelineOf } from "../../page/src/chart/timeline.ts";
import type { Schedule } from "../../src/supply/schedule.ts";
import type { Brand } from "./brand.ts";

/** The size that link previews ask for. */
const [WIDTH, HEIGHT] = [1200, 630];
const MARGIN = 60;

/** The schedule's chart without words, for link previews, which take no SVG and show the page's title beside it. */
export function previewPng(schedule: Schedule, { light, series }: Brand["colors"]): Uint8Array {
  const { steps, maximum } = timelineOf(schedule);
  const palette = [light.panel, ...series];
  const inner = { width: WIDTH - 2 * MARGIN, height: HEIGHT - 2 * MARGIN };
  const heightOf = (amount: bigint): number => (maximum > 0n ? Number((amount * BigInt(inner.height)) / maximum) : 0);
  const columns = Array.from({ length: inner.width }, (_, x) => {
    let top = 0n;
    const { amounts = [] } = steps[Math.floor((x / inner.width) * steps.length)] ?? {};
    return amounts.map((amount) => {
      top += amount;
      return heightOf(top);
    });
  });
  const pixels = Buffer.alloc(HEIGHT * (WIDTH + 1));
  for (let y = 0; y < inner.height; y += 1)
    for (const [x, tops] of columns.entries()) {
      const band = tops.findIndex((top) => inner.height - y <= top);
      pixels[(y + MARGIN) * (WIDTH + 1) + 1 + MARGIN + x] = band + 1;
    }
  return png(pixels, palette);
}

/** An indexed PNG (ISO/IEC 15948): rows of one filter byte, which is 0, and a palette index for each pixel. */
function png(rows: Uint8Array, palette: readonly string[]): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const chunk = (name: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.map((color) => color.slice(1)).join(""), "hex")),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
