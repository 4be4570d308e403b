import { expect, test } from "vitest";
import document from "../../../openapi/node.json" with { type: "json" };
import { ERROR_STATUS } from "../../../src/chain/error-codes.ts";
import { ROUTES } from "../../http/routes.ts";

test("the document has exactly the paths and methods of the interface", () => {
  const served = ROUTES.filter(({ path }) => path.startsWith("/v1") && path !== "/v1/").map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
  );
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(served.sort());
});

test("the document lists the node's error codes", () => {
  expect(document.components.schemas.ErrorCode.enum).toEqual(Object.keys(ERROR_STATUS));
});
