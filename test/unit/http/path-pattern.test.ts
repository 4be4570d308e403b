import { expect, test } from "vitest";
import { compilePath } from "../../../src/http/path-pattern.ts";

test.each([
  ["/v1/accounts/:address", "/v1/accounts/0x1", { address: "0x1" }],
  [
    "/v1/accounts/:address/resource/:type",
    "/v1/accounts/0x1/resource/0x1::a::B%3Cu8%3E",
    { address: "0x1", type: "0x1::a::B%3Cu8%3E" },
  ],
  ["/api/badge/:figure.json", "/api/badge/circulating-supply.json", { figure: "circulating-supply" }],
  ["/v1/-/healthy", "/v1/-/healthy", {}],
  ["/v1", "/v1", {}],
  ["/v1/", "/v1/", {}],
])("%s matches %s", (pattern, path, groups) => {
  expect({ ...compilePath(pattern).exec(path)?.groups }).toEqual(groups);
});

test.each([
  ["/v1/accounts/:address", "/v1/accounts/"],
  ["/v1/accounts/:address", "/v1/accounts/0x1/"],
  ["/v1/accounts/:address", "/v1/accounts/0x1/more"],
  ["/v1/accounts/:address", "/x/v1/accounts/0x1"],
  ["/api/badge/:figure.json", "/api/badge/circulatingXjson"],
  ["/v1", "/v1/"],
  ["/v1/", "/v1"],
  ["/v1/", "/v1//"],
])("%s does not match %s", (pattern, path) => {
  expect(compilePath(pattern).test(path)).toBe(false);
});
