import fc from "fast-check";
import { expect, test } from "vitest";
import { originOf, splitUrl } from "../../../src/http/split-url.ts";
import { segment } from "../../support/url-parts.ts";

/** A query or a fragment with its mark, or nothing. */
const after = (mark: string) =>
  fc.oneof(
    fc.constant(""),
    fc.array(fc.oneof(segment, fc.constantFrom("/", "?"))).map((parts) => mark + parts.join("")),
  );

test("agrees with URL about every normalized URL", () => {
  fc.assert(
    fc.property(
      fc.webAuthority({ withPort: true, withIPv6: true }),
      fc.array(segment),
      after("?"),
      after("#"),
      (host, path, query, fragment) => {
        const { href, pathname, search } = new URL(`https://${host}/${path.join("/")}${query}${fragment}`);
        expect(splitUrl(href)).toEqual({ path: pathname, query: search.slice(1) });
      },
    ),
  );
});

test.each([
  ["https://edge.test/api/rates?a=/b", "https://edge.test"],
  ["http://localhost:8787/", "http://localhost:8787"],
  ["https://edge.test:99999/feed.atom", "https://edge.test:99999"],
])("the origin of %s is %s", (url, origin) => {
  expect(originOf(url)).toBe(origin);
});
