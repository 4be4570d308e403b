import { preferredMediaType } from "../http/content-negotiation.ts";

const OFFERED = ["text/html", "text/markdown"];

/** Whether a path is a page of the manual, which is static and costs no quota. */
export function isManualPath(path: string): boolean {
  return path === "/docs" || path.startsWith("/docs/");
}

/**
 * The asset for a page of the manual: its Markdown when the Accept header prefers that to HTML, else null, which means
 * the requested page itself.
 */
export function markdownPath(path: string, accept: string | null): string | null {
  if (path.endsWith(".md") || preferredMediaType(accept, OFFERED) !== "text/markdown") return null;
  const page = path.replace(/\/$/, "");
  return page === "/docs" ? "/docs/index.md" : `${page}.md`;
}
