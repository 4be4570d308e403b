import { XMLParser } from "fast-xml-parser";
import { strFromU8 } from "fflate";

/** Texts of a workbook, by their paths in it. */
export type WorkbookParts = Readonly<Record<string, Uint8Array>>;

/** Element of a workbook's XML: its attributes as texts, and its elements as lists. */
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

/**
 * Finds the cells of a sheet, such as `B2`, that show other text than their value. These are a percentage (Excel keeps
 * 20 % as 0.2), the letters of a number format (`0" weeks"`), an error, and a formula whose value nobody has stored.
 */
export function shownTexts(files: WorkbookParts, title: string): ReadonlyMap<string, (number: string) => string> {
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
  const codes = within(styles, "styleSheet", "cellXfs", "xf").map(({ numFmtId }) =>
    String(formats.find((each) => each["numFmtId"] === numFmtId)?.["formatCode"] ?? BUILT_IN.get(numFmtId) ?? ""),
  );
  const cells = within(
    partOf(({ Id }) => Id === sheet?.["id"]),
    "worksheet",
    "sheetData",
    "row",
    "c",
  );
  return new Map(
    cells.flatMap((cell): readonly (readonly [string, (number: string) => string])[] => {
      const { r, s = "0", t = "n" } = cell;
      const value = textOf(cell["v"]);
      if (t === "e") return [[String(r), () => value]];
      if (cell["f"] !== undefined && value === "") return [[String(r), () => "a formula without a stored value"]];
      const shown = t === "n" && value !== "" ? formOf(codes[Number(s)] ?? "") : undefined;
      return shown === undefined ? [] : [[String(r), shown]];
    }),
  );
}

/** Builds the text that a format shows around a number; undefined for dates, and for digits alone. */
function formOf(code: string): ((number: string) => string) | undefined {
  const [positive = ""] = code.split(";");
  const letters = positive.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "");
  if (/%/.test(letters)) return (number) => `${times100(number)}%`;
  // Commas behind the digits show thousandths of the number that the cell holds.
  if (/[ymdhs]/i.test(letters) || /[0#?],+(?![0#?])/.test(letters)) return undefined;
  const literal = (text: string): string =>
    [...text.matchAll(/"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|([$€£¥])/g)]
      .map((found) => found.slice(1).join(""))
      .join("");
  const first = positive.search(/[0#?]/);
  const last = Math.max(...["0", "#", "?"].map((digit) => positive.lastIndexOf(digit)));
  const [before, behind] = [literal(positive.slice(0, Math.max(first, 0))), literal(positive.slice(last + 1))];
  return first === -1 || before + behind.trim() === "" ? undefined : (number) => `${before}${number}${behind}`;
}

/** Multiplies a decimal by a hundred, without rounding. */
function times100(number: string): string {
  const [whole = "", fraction = ""] = number.split(".");
  const digits = `${whole}${fraction.padEnd(2, "0").slice(0, 2)}`.replace(/^(-?)0+(?=\d)/, "$1");
  return fraction.length > 2 ? `${digits}.${fraction.slice(2)}` : digits;
}

function textOf(element: Element[string]): string {
  const [first] = typeof element === "string" ? [element] : (element ?? []);
  const text = typeof first === "object" ? first["#text"] : first;
  return typeof text === "string" ? text : "";
}

/** Formats of every workbook that show a percentage. */
const BUILT_IN: ReadonlyMap<unknown, string> = new Map([
  ["9", "0%"],
  ["10", "0.00%"],
]);

/** Finds the elements at a path below others. */
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
