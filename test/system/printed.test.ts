import { describe, expect, test } from "vitest";
import { chromiumPath, NO_CHROMIUM } from "../support/browser.ts";
import { readPdf } from "../support/pdf.ts";
import { product } from "../support/shared-product.ts";
import { hex, picture, resizeTo, useBrowser } from "../support/visit.ts";

const visit = useBrowser();

async function json<T>(path: string): Promise<T> {
  return (await (await fetch(product.url + path)).json()) as T;
}

describe.skipIf(chromiumPath === undefined)(`the printed page (${chromiumPath ?? NO_CHROMIUM})`, () => {
  test.each(["A4", "Letter"])(
    "%s: two sheets with every figure, its date, the wallets and the hash",
    async (format) => {
      const { page } = await visit(product.url);
      await page.locator("#verdict[data-state=verified]").waitFor();
      const printed = readPdf(await page.pdf({ format, printBackground: false }));
      expect(printed.sheets.length).toBeLessThanOrEqual(2);
      const text = printed.sheets.join("");
      const wanted = async (selector: string): Promise<string[]> =>
        (await page.locator(selector).allTextContents()).map((one) => one.normalize("NFKC").replaceAll(/\s/g, ""));
      const figures = [
        ...(await wanted("#circulating, #circulating-note, #chain-said, #verdict, #parts dd, #drawing-now text")),
        ...(await wanted("#upcoming tbody th, #upcoming td.amount")),
        ...(await wanted("#allocation-rows th bdi, #allocation-rows .amount")),
        ...(await wanted("#difference td, #wallet-list th bdi, #wallet-list code")),
      ];
      expect(figures.length).toBeGreaterThan(50);
      expect(figures.filter((figure) => !text.includes(figure))).toEqual([]);
      const { file, revision } = await json<{ file: { sha256: string }; revision: number }>("/api/unlock-schedule");
      expect(text).toContain(`Schedulefile,SHA-256${file.sha256}`);
      expect(text).toContain(`revision${revision}of`);
      const [day = ""] = new Date().toUTCString().match(/\d+ \w{3} \d{4}/) ?? [];
      // A listing asks for these, and a path without its host leads nowhere on paper.
      const { token, asset } = await json<{ token: { symbol: string; decimals: number }; asset: string }>(
        "/api/supply-breakdown",
      );
      expect(text).toContain(`${token.symbol}has${token.decimals}decimals.OnaMovechain.Cointype:${asset}`);
      for (const path of ["circulating-supply", "circulating-supply-on-chain", "total-supply", "max-supply"])
        expect(text).toContain(`${product.url}/api/${path}`);
      expect(text).not.toMatch(/[^\d]\/api\//);
      const tables = printed.sheets.filter((sheet) => sheet.includes("Whothetokensarefor"));
      expect(tables).toHaveLength(1);
      const names = await wanted("#allocation-rows th bdi");
      expect(
        names.filter((name) => !tables[0]?.includes(name)),
        "no allocation stands alone on a sheet",
      ).toEqual([]);
      expect(text).toContain(`Printedfrom${product.url}/on${day.replace(/^0/, "").replaceAll(" ", "")},`);
    },
  );

  test("without scripts the sheet has the path of each figure", async () => {
    const { page } = await visit(product.url, { javaScriptEnabled: false }, undefined, false);
    const text = readPdf(await page.pdf({ format: "A4" })).sheets.join("");
    for (const path of ["circulating-supply", "circulating-supply-on-chain", "total-supply", "max-supply"])
      expect(text).toContain(`/api/${path}`);
  });

  test("the bar, the allocations' bars and every swatch are printed in their colours, what is planned hatched", async () => {
    const { page } = await visit(product.url);
    await page.locator("#verdict[data-state=verified]").waitFor();
    // Links are of the accent's colour too: each drawing has one of its own here.
    await page.evaluate(`(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(\`
        .progress g rect { fill: rgb(1, 2, 3); }
        rect.circulating { fill: rgb(7, 8, 9); }
      \`);
      document.adoptedStyleSheets = [sheet];
    })()`);
    const { fills } = readPdf(await page.pdf({ format: "A4", printBackground: false }));
    const swatches: string[] = await page.evaluate(
      "[...document.querySelectorAll('#allocations .swatch rect')].map((one) => getComputedStyle(one).fill)",
    );
    expect(swatches.length).toBeGreaterThan(3);
    for (const color of ["#010203", "#070809", ...swatches.map(hex)]) expect([...fills]).toContain(color);
    await page.emulateMedia({ media: "print" });
    const veil = "getComputedStyle(document.querySelector('#drawing .veil')).fill";
    expect(await page.evaluate(veil), "what is planned").toContain("#planned");
    await resizeTo(page, 680, 900);
    await picture(page, "printed-sheet");
  });
});
