/** Compiles a path: `:name` matches one segment, or its part before a dot, as a named group without decoding. */
export function compilePath(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
}
