import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { client } from "../../bench/lib/client.ts";
import { runSections } from "../../bench/lib/results.ts";

describe("a reset connection", () => {
  let server: Server;
  let url: string;
  let resets: number;
  let requests: number;

  beforeEach(async () => {
    requests = 0;
    server = createServer((request, response) => {
      requests += 1;
      if (requests <= resets) request.socket.resetAndDestroy();
      else response.end("answered");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address: AddressInfo | string | null = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  test("of submits on connections that were closed when idle: each is sent on another", async () => {
    resets = 0;
    const { call, close } = client(url, 2);
    const both = () => Promise.all([call("/", { method: "POST" }), call("/", { method: "POST" })]);
    await both();
    resets = 4;
    const answers = await both();
    expect(answers.map(({ body }) => String(body))).toEqual(["answered", "answered"]);
    expect(requests, "both were reset once").toBe(6);
    close();
  });

  test.each([
    ["a read survives one reset connection", "GET", 1, "answered", 2],
    ["but not two in a row", "GET", 2, "ECONNRESET", 2],
    ["a submit is not sent twice", "POST", 1, "ECONNRESET", 1],
  ])("%s", async (_what, method, count, expected, sent) => {
    resets = count;
    const { call, close } = client(url, 1);
    const outcome = await call("/", { method }).then(
      ({ body }) => String(body),
      ({ code }) => code,
    );
    close();
    expect([outcome, requests]).toEqual([expected, sent]);
  });
});

describe("the results", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bench-results-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const section = (name: string, run: () => Promise<string>) => ({ name, title: `## ${name}`, run });
  const titles = (file: string): string[] => readFileSync(file, "utf8").match(/^## .*/gm) ?? [];

  test("a failing section keeps finished sections and those of earlier runs", async () => {
    const file = join(folder, "results.md");
    writeFileSync(file, "# Old head\n\n## B\n\nold b\n\n## Others\n\nkept\n");
    const lines: string[] = [];
    const failed = await runSections(
      [
        section("A", async () => "## A\n\nnew a"),
        section("B", () => Promise.reject(new Error("socket hang up"))),
        section("C", async () => {
          expect(titles(file), "A is in the file before C begins").toContain("## A");
          return "## C\n\nnew c";
        }),
      ],
      { file, order: ["## A", "## B", "## C"], log: (line: string) => lines.push(line) },
    );
    expect(failed).toEqual(["B"]);
    expect(lines.join("\n")).toContain("socket hang up");
    expect(titles(file)).toEqual(["## A", "## B", "## C", "## Others"]);
    expect(readFileSync(file, "utf8")).toContain("old b");
  });

  test("a dry run writes nothing", async () => {
    const failed = await runSections([section("A", async () => "## A")], {
      file: null,
      order: [],
      log: () => undefined,
    });
    expect(failed).toEqual([]);
  });
});
