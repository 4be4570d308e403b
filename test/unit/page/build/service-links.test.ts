import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyDocuments } from "../../../../page/build/documents.ts";
import { missingLinks, type ServiceLinks } from "../../../../page/build/service-links.ts";
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

  test("a deployment notes which of them are absent", () => {
    expect(missingLinks(LINKS)).toEqual([]);
    expect(missingLinks({ ...LINKS, status: "" })).toEqual([expect.stringContaining("has no status:")]);
    expect(missingLinks({})).toEqual([expect.stringContaining("has no terms, contact, status:")]);
  });
});
