import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { docsPages } from "../../../../page/build/docs.ts";
import { docsHtml } from "../../../../page/build/docs-html.ts";
import { copyDocuments } from "../../../../page/build/documents.ts";
import { missingLinks, type ServiceLinks } from "../../../../page/build/service-links.ts";
import { readSite, sitePlugin } from "../../../../page/build/site.ts";
import { readSchedule } from "../../../../tools/schedule/files.ts";
import { EVERYTHING, hasIn } from "../../../support/editions.ts";

const LINKS = {
  terms: "https://example.org/terms",
  contact: "mailto:figures@example.org",
  status: "https://status.example.org",
};

/** A document of a deployment whose brand has these links. */
function documentOf(name: string, links: ServiceLinks) {
  const folder = mkdtempSync(join(tmpdir(), "documents-"));
  copyDocuments(folder, hasIn(EVERYTHING), readSchedule(EVERYTHING.schedule), {}, [], links);
  return JSON.parse(readFileSync(join(folder, "documents", `${name}.json`), "utf8"));
}

describe("terms, contact and status page of the brand", () => {
  test.each(["public", "node"])("the document %s names terms and contact", (name) => {
    expect(documentOf(name, LINKS).info).toMatchObject({
      termsOfService: LINKS.terms,
      contact: { email: "figures@example.org" },
    });
    expect(documentOf(name, { contact: "https://example.org/us" }).info.contact).toMatchObject({
      url: "https://example.org/us",
    });
    expect(documentOf(name, { terms: "", contact: "", status: "" })).toEqual(documentOf(name, {}));
  });

  test("the API catalog names terms and status page of each API", () => {
    for (const entry of documentOf("api-catalog", LINKS).linkset)
      expect(entry).toMatchObject({
        "terms-of-service": [{ href: LINKS.terms }],
        status: expect.arrayContaining([{ href: LINKS.status }]),
      });
  });

  test.each(["index.html", "wallets.html", "verify.html", "404.html", "docs"])(
    "the footer of %s links them, and the header only the brand's own links",
    async (name) => {
      const sources = readSite(EVERYTHING.parts, readSchedule(EVERYTHING.schedule));
      const links = [{ label: "Homepage", url: "https://example.org/home" }];
      const filledWith = (brand: ServiceLinks) => {
        const site = {
          ...sources.site,
          brand: { ...sources.site.brand, terms: "", contact: "", status: "", ...brand, links },
        };
        const { transformIndexHtml: transform } = sitePlugin({ ...sources, site });
        if (typeof transform !== "object" || !("handler" in transform)) throw new Error("the plugin fills no HTML");
        const pages = docsPages(sources);
        const [first] = pages;
        if (first === undefined) throw new Error("the manual has no page");
        const html = name === "docs" ? docsHtml(first, pages, "owner") : readFileSync(join("page", name), "utf8");
        return String(Reflect.apply(transform.handler, {}, [html, { path: "/page.html" }]));
      };
      const html = filledWith(LINKS);
      const hrefs = (part: string) =>
        [...(html.split(`<${part}`)[1]?.split(`</${part}>`)[0] ?? "").matchAll(/href="([^"]+)"/g)].map(
          ([, href]) => href,
        );
      expect(hrefs("footer")).toEqual(expect.arrayContaining(Object.values(LINKS)));
      expect(hrefs("header").filter((href) => href?.includes("://") || href?.startsWith("mailto:"))).toEqual(
        /^(index|wallets)/.test(name) ? ["https://example.org/home"] : [],
      );
      expect(html.match(/<meta name="theme-color"/g), "the browser's colour").toHaveLength(2);
      expect(filledWith({}), "without them there is no empty line").not.toContain("<p></p>");
    },
  );

  test("a deployment notes which of them are absent", () => {
    expect(missingLinks(LINKS)).toEqual([]);
    expect(missingLinks({ ...LINKS, status: "" })).toEqual([expect.stringContaining("has no status:")]);
    expect(missingLinks({})).toEqual([expect.stringContaining("has no terms, contact, status:")]);
  });
});
