import fc from "fast-check";
import { expect, test } from "vitest";
import { originOf, splitUrl } from "../../../src/http/split-url.ts";

test("agrees with URL about every normalized URL", () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
      const { href, pathname, search } = new URL(text);
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
