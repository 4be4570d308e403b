import { IttyRouter } from "itty-router/IttyRouter";

/**
 * Compiles a path with itty-router: `:name` matches one segment, captured as a named group without decoding. The router
 * makes a trailing slash optional. That is undone, because here a path with a trailing slash is a different path.
 */
export function compilePath(path: string): RegExp {
  const router = IttyRouter();
  router.get(path, () => undefined);
  const source = router.routes[0]?.[1].source;
  if (source?.endsWith(TRAILING_SLASHES) !== true) throw new Error(`itty-router compiled ${path} in an unknown form`);
  // The router also drops a slash at the end of the path itself.
  const slash = path.endsWith("/") && path !== "/" ? "\\/" : "";
  return new RegExp(`${source.slice(0, -TRAILING_SLASHES.length)}${slash}$`);
}

const TRAILING_SLASHES = "\\/*$";
