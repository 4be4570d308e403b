/**
 * A path pattern as a regular expression: `:name` matches one segment, captured as a named group without decoding. A
 * path with a trailing slash is a different path.
 */
export function compilePath(path: string): RegExp {
  const source = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}
