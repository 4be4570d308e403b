import { expect, test } from "vitest";
import { bareFigure, bareReply } from "../../../src/supply/figure-format.ts";
import { NO_CALLER } from "../../support/no-caller.ts";

const handler = bareFigure(["month"], (format) => bareReply("7", format, {}));
const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain; charset=utf-8";

async function call(query: string, accept?: string) {
  const headers = accept === undefined ? {} : { Accept: accept };
  return handler({
    ...{ request: new Request("https://edge.test/", { headers: { ...headers } }), method: "GET", path: "/", query },
    ...{ params: {}, nowMs: 0, requestId: "1", admission: NO_CALLER, waitUntil: () => undefined },
  });
}

test.each([
  ["", undefined, "7", JSON_TYPE],
  ["", "*/*", "7", JSON_TYPE],
  ["", "application/json", "7", JSON_TYPE],
  ["", "text/plain", "7", TEXT_TYPE],
  ["format=number", "text/plain", "7", JSON_TYPE],
  ["format=plain", "application/json", "7", TEXT_TYPE],
  ["format=result", "text/plain", '{"result":"7"}', JSON_TYPE],
  ["month=2025-01&format=result", undefined, '{"result":"7"}', JSON_TYPE],
])("?%s with Accept %s is %s as %s", async (query, accept, body, type) => {
  expect(await call(query, accept)).toMatchObject({
    ...{ kind: "reply", status: 200, body },
    headers: { "Content-Type": type, Vary: "Accept" },
  });
});

test.each(["format=", "format=json", "format=Plain", "format=plain&format=plain"])("?%s is refused", async (query) => {
  expect(await call(query)).toMatchObject({ kind: "invalid_input" });
});
