import { inflateSync } from "node:zlib";

/**
 * Content of a printed page: the text of each sheet without blanks, which PDF does not store, and every fill colour.
 */
export interface Printed {
  readonly sheets: readonly string[];
  readonly fills: ReadonlySet<string>;
}

/** Reads a PDF in the form that Chromium writes: plain objects, packed streams, glyphs with their characters. */
export function readPdf(bytes: Buffer): Printed {
  const objects = new Map<string, string>();
  for (const [, id = "", body = ""] of bytes.toString("latin1").matchAll(/(\d+) 0 obj\s([\s\S]*?)endobj/g))
    objects.set(id, body);
  const streamOf = (id: string): string => {
    const object = objects.get(id) ?? "";
    const head = /\/Length (\d+)[\s\S]*?stream\r?\n/.exec(object);
    if (head === null) return "";
    // The stream is cut by its length, because packed bytes may contain a line end.
    const packed = object.slice(head.index + head[0].length).slice(0, Number(head[1]));
    return inflateSync(Buffer.from(packed, "latin1")).toString("latin1");
  };
  const characters = new Map(
    [...objects].flatMap(([id, body]) => {
      const [, unicode] = /\/ToUnicode (\d+) 0 R/.exec(body) ?? [];
      return unicode === undefined ? [] : [[id, charactersOf(streamOf(unicode))] as const];
    }),
  );
  const sheets: string[] = [];
  const fills = new Set<string>();
  for (const body of objects.values()) {
    const [, contents] = /\/Type \/Page\n[\s\S]*\/Contents (\d+) 0 R/.exec(body) ?? [];
    if (contents === undefined) continue;
    const stream = streamOf(contents);
    let font: ReadonlyMap<string, string> | undefined;
    let text = "";
    for (const [, name, glyphs] of stream.matchAll(/\/F(\d+) [\d.]+ Tf|<([0-9A-F]+)> Tj/g))
      if (name !== undefined) font = characters.get(name);
      else text += (glyphs?.match(/.{4}/g) ?? []).map((glyph) => font?.get(glyph) ?? "").join("");
    // A font may have one glyph for two letters.
    sheets.push(text.normalize("NFKC").replaceAll(/\s/g, ""));
    for (const [, ...parts] of stream.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) rg\n/g))
      fills.add(
        `#${parts
          .map((part) => Math.round(Number(part) * 255))
          .map((part) => part.toString(16).padStart(2, "0"))
          .join("")}`,
      );
  }
  return { sheets, fills };
}

/** Maps each glyph to its character, from a font's table. */
function charactersOf(table: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, "0");
  const textOf = (code: string): string =>
    String.fromCharCode(...(code.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)));
  for (const [, lines = ""] of table.matchAll(/beginbfchar\n([\s\S]*?)endbfchar/g))
    for (const [, glyph = "", code = ""] of lines.matchAll(/<(\w+)> <(\w+)>/g)) found.set(glyph, textOf(code));
  for (const [, lines = ""] of table.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g))
    for (const [, first = "", last = "", code = ""] of lines.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g))
      for (let at = Number.parseInt(first, 16); at <= Number.parseInt(last, 16); at += 1)
        found.set(hex(at), String.fromCharCode(Number.parseInt(code, 16) + at - Number.parseInt(first, 16)));
  return found;
}
