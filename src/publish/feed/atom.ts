import { instantText } from "../../base/utc.ts";
import { xmlText } from "../../base/xml.ts";

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
    `<id>${xmlText(`${origin}/feed.atom`)}</id>`,
    `<title>${xmlText(title)}</title>`,
    `<updated>${instantText(updatedAtMs)}</updated>`,
    `<author><name>${xmlText(title)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${xmlText(`${origin}/feed.atom`)}"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(`${origin}/`)}"/>`,
    ...newest.flatMap((entry) => [
      "<entry>",
      `<id>${xmlText(`${origin}/feed.atom#${entry.id}`)}</id>`,
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
