import fc from "fast-check";
import { expect, test } from "vitest";
import { originOf, splitUrl } from "../../../src/http/split-url.ts";

test.each([
  ["https://edge.test/api/rates", "/api/rates", ""],
  ["https://edge.test/api/rates?", "/api/rates", ""],
  ["https://edge.test/a?b=1&c=/d?e", "/a", "b=1&c=/d?e"],
  ["https://edge.test/a?b#c", "/a", "b"],
  ["https://edge.test/a#c?b", "/a", ""],
  ["https://edge.test:8787/", "/", ""],
  ["https://edge.test", "/", ""],
  ["https://edge.test/a%2Fb/%20", "/a%2Fb/%20", ""],
])("%s is path %j and query %j", (url, path, query) => {
  expect(splitUrl(url)).toEqual({ path, query });
});

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
