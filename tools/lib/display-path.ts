import { relative, resolve } from "node:path";

/** Relative to the current folder where it is below it. */
export function displayPath(path: string): string {
  const short = relative(process.cwd(), resolve(path));
  return short === "" || short.startsWith("..") ? path : short;
}
