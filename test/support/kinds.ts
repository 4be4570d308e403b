import { readFileSync } from "node:fs";
import { join } from "node:path";

const DOCUMENT = join(import.meta.dirname, "..", "..", "docs", "writing-a-schedule.md");
const TITLE = "### What each kind of file serves";

/** Kinds of schedule files, in the order of the table's columns. */
export const KINDS = [
  "schedule, no chain",
  "schedule",
  "schedule and wallets",
  "wallets alone",
  "wallets, no maximum",
] as const;
export type Kind = (typeof KINDS)[number];

/** Response of a path in a deployment of one kind, as the document's table states it. */
export interface ServedPath {
  readonly path: string;
  readonly serves: "served" | "schedule" | "chain" | "404" | "400";
}

/** The column of a kind. */
export function servedByKind(kind: Kind): readonly ServedPath[] {
  const lines = (readFileSync(DOCUMENT, "utf8").split(TITLE)[1] ?? "").trim().split("\n");
  const [head = [], , ...rows] = lines.slice(0, lines.indexOf("")).map(cellsOf);
  const column = head.findIndex((name) => name.toLowerCase() === kind);
  if (column < 1) throw new Error(`${DOCUMENT} has no column ${kind}`);
  return rows.map((cells) => ({
    path: (cells[0] ?? "").replaceAll("`", ""),
    serves: cells[column] as ServedPath["serves"], // compared with each by the tests
  }));
}

function cellsOf(line: string): readonly string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
