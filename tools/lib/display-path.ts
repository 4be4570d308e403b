import { relative, resolve } from "node:path";

/** Shows a path relative to the current folder if it is below it. */
export function displayPath(path: string): string {
  const short = relative(process.cwd(), resolve(path));
  return short === "" || short.startsWith("..") ? path : short;
}
