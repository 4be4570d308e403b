import { instantText } from "../utc.ts";

/** One item of the feed. */
export interface FeedEntry {
  /** Unique within the feed and permanent: `unlock/2026-12-12`. */
  readonly id: string;
  readonly title: string;
  readonly updatedAtMs: number;
  readonly summary: string;
  /** Path or URL of a page with details. */
  readonly link: string;
}

/** An Atom document (RFC 4287), newest entry first. `origin` is where it is served: `https://api.example.org`. */
export function atomFeed(origin: string, title: string, entries: readonly FeedEntry[]): string {
  const newest = [...entries].sort((a, b) => b.updatedAtMs - a.updatedAtMs);
  const updatedAtMs = newest[0]?.updatedAtMs ?? 0;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${xml(`${origin}/feed.atom`)}</id>`,
    `<title>${xml(title)}</title>`,
    `<updated>${instantText(updatedAtMs)}</updated>`,
    `<author><name>${xml(title)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${xml(`${origin}/feed.atom`)}"/>`,
    `<link rel="alternate" type="text/html" href="${xml(`${origin}/`)}"/>`,
    ...newest.flatMap((entry) => [
      "<entry>",
      `<id>${xml(`${origin}/feed.atom#${entry.id}`)}</id>`,
      `<title>${xml(entry.title)}</title>`,
      `<updated>${instantText(entry.updatedAtMs)}</updated>`,
      `<link rel="alternate" href="${xml(entry.link.startsWith("/") ? origin + entry.link : entry.link)}"/>`,
      `<summary>${xml(entry.summary)}</summary>`,
      "</entry>",
    ]),
    "</feed>",
    "",
  ].join("\n");
}

/** Escapes text for content and attributes; drops characters that XML 1.0 does not allow (section 2.2). */
function xml(text: string): string {
  return [...text]
    .filter((character) => /[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(character))
    .join("")
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
