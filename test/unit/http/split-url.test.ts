import fc from "fast-check";
import { expect, test } from "vitest";
import { originOf, splitUrl } from "../../../src/http/split-url.ts";
import { segment } from "../../support/url-parts.ts";

const authority = fc.webAuthority({ withPort: true, withIPv6: true });
const path = fc.array(segment).map((segments) => `/${segments.join("/")}`);
const rest = fc.array(fc.oneof(segment, fc.constantFrom("/", "?"))).map((parts) => parts.join(""));
/** A query or a fragment with its mark, or nothing. */
const after = (mark: string) => fc.option(rest).map((text) => (text === null ? "" : mark + text));

test("agrees with URL about every normalized URL", () => {
  fc.assert(
    fc.property(authority, path, after("?"), after("#"), (...parts) => {
      const { href, pathname, search } = new URL(`https://${parts.join("")}`);
      expect(splitUrl(href)).toEqual({ path: pathname, query: search.slice(1) });
    }),
  );
});

test.each([
  ["https://edge.test/api/rates?a=/b", "https://edge.test"],
  ["http://localhost:8787/", "http://localhost:8787"],
  ["https://edge.test:99999/feed.atom", "https://edge.test:99999"],
])("the origin of %s is %s", (url, origin) => {
  expect(originOf(url)).toBe(origin);
});
