import { sha256 } from "../../base/hash/sha256.ts";
import { instantText } from "../../base/utc.ts";
import { xmlText } from "../../base/xml.ts";

/** An entry of the feed. */
export interface FeedEntry {
  /** Id of the entry, unique within the feed and permanent: `unlock/2026-12-12`. */
  readonly id: string;
  readonly title: string;
  readonly updatedAtMs: number;
  readonly summary: string;
  /** Path or URL of a page with details. */
  readonly link: string;
}

/**
 * Writes an Atom document (RFC 4287), newest entry first. `id` is the feed's permanent id (section 4.2.6). `origin` is
 * where the feed is served, such as `https://api.example.org`; only the links contain it.
 */
export function atomFeed(id: string, origin: string, title: string, entries: readonly FeedEntry[]): string {
  const newest = [...entries].sort((a, b) => b.updatedAtMs - a.updatedAtMs);
  const updatedAtMs = newest[0]?.updatedAtMs ?? 0;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${xmlText(id)}</id>`,
    `<title>${xmlText(title)}</title>`,
    `<updated>${instantText(updatedAtMs)}</updated>`,
    `<author><name>${xmlText(title)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${xmlText(`${origin}/feed.atom`)}"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(`${origin}/`)}"/>`,
    ...newest.flatMap((entry) => [
      "<entry>",
      `<id>${xmlText(`${id}#${entry.id}`)}</id>`,
      `<title>${xmlText(entry.title)}</title>`,
      `<updated>${instantText(entry.updatedAtMs)}</updated>`,
      `<link rel="alternate" href="${xmlText(entry.link.startsWith("/") ? origin + entry.link : entry.link)}"/>`,
      `<summary>${xmlText(entry.summary)}</summary>`,
      "</entry>",
    ]),
    "</feed>",
    "",
  ].join("\n");
}

/** Makes a URI from a name alone: a UUID of version 8 (RFC 9562 section 5.8). */
export async function nameUri(name: string): Promise<string> {
  const hash = await sha256(new TextEncoder().encode(name));
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16);
  const groups = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, variant + hash.slice(17, 20)];
  return `urn:uuid:${[...groups, hash.slice(20, 32)].join("-")}`;
}
