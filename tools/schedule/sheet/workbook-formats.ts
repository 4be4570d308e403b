import { XMLParser } from "fast-xml-parser";
import { strFromU8 } from "fflate";

/** The texts of a workbook, by their paths in it. */
export type WorkbookParts = Readonly<Record<string, Uint8Array>>;

/** An element of a workbook's XML: its attributes as texts, and its elements as lists. */
interface Element {
  readonly [name: string]: string | readonly Element[] | undefined;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  removeNSPrefix: true,
  parseTagValue: false,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

/** The numbers of a sheet, by cells such as `B2`, that are shown as percentages: Excel keeps 20 % as the number 0.2. */
export function percentCells(files: WorkbookParts, title: string): ReadonlySet<string> {
  const read = (path: string): readonly Element[] => {
    const file = files[path];
    return file === undefined ? [] : [parser.parse(strFromU8(file)) as Element]; // a tree of elements, as set above
  };
  const parts = within(read("xl/_rels/workbook.xml.rels"), "Relationships", "Relationship");
  const partOf = (isIt: (part: Element) => boolean): readonly Element[] =>
    parts.filter(isIt).flatMap(({ Target = "" }) =>
      read(
        String(Target)
          .replace(/^(?!\/)/, "xl/")
          .replace(/^\//, ""),
      ),
    );
  const sheet = within(read("xl/workbook.xml"), "workbook", "sheets", "sheet").find(({ name }) => name === title);
  const styles = partOf(({ Type }) => /\/styles$/.test(String(Type)));
  const formats = within(styles, "styleSheet", "numFmts", "numFmt");
  const isPercent = within(styles, "styleSheet", "cellXfs", "xf").map(({ numFmtId }) => {
    const format = formats.find((each) => each["numFmtId"] === numFmtId)?.["formatCode"] ?? BUILT_IN.get(numFmtId);
    return /%/.test(String(format).replace(/"[^"]*"|\\./g, ""));
  });
  const cells = within(
    partOf(({ Id }) => Id === sheet?.["id"]),
    "worksheet",
    "sheetData",
    "row",
    "c",
  );
  const shown = cells.filter(({ s = "0", t = "n" }) => t === "n" && isPercent[Number(s)]);
  return new Set(shown.map(({ r }) => String(r)));
}

/** Formats of every workbook that show a percentage. */
const BUILT_IN: ReadonlyMap<unknown, string> = new Map([
  ["9", "0%"],
  ["10", "0.00%"],
]);

/** The elements at a path below others. */
function within(elements: readonly Element[], ...path: readonly string[]): readonly Element[] {
  return path.reduce(
    (found, name) =>
      found.flatMap((each) => {
        const inner = each[name] ?? [];
        return typeof inner === "string" ? [] : inner;
      }),
    elements,
  );
}
