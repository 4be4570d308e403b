/**
 * Makes the modules of a release whose Worker and objects understand each other and no other release: the given bundle,
 * with every call between them renamed.
 */
export function anotherRelease(bundle: string, classes: readonly string[]): Record<string, string> {
  const exported = classes.map((name) => `export const ${name} = renamed(release.${name});`);
  return { "worker.js": [WRAPPER, ...exported].join("\n"), "release.js": bundle };
}

const WRAPPER = `import { DurableObject } from "cloudflare:workers";
import * as release from "./release.js";

const nameOf = (method) => method + "OfAnotherRelease";

/** Wraps a class: renamed calls are forwarded to the release's own. */
function renamed(Class) {
  const Renamed = class extends DurableObject {
    constructor(ctx, env) {
      super(ctx, env);
      this.inner = new Class(ctx, calling(env));
    }
  };
  for (const method of Object.getOwnPropertyNames(Class.prototype)) {
    if (method === "constructor") continue;
    Renamed.prototype[method === "alarm" ? method : nameOf(method)] = function (...all) {
      return this.inner[method](...all);
    };
  }
  return Renamed;
}

/** Returns the bindings with stubs that call objects of this release. */
function calling(env) {
  const stub = (object) =>
    new Proxy(object, { get: (_object, method) => (typeof method === "string" ? (...all) => object[nameOf(method)](...all) : undefined) });
  const bindings = { ...env };
  for (const [name, binding] of Object.entries(env)) {
    if (typeof binding?.idFromName !== "function") continue;
    bindings[name] = {
      idFromName: (text) => binding.idFromName(text),
      get: (id, options) => stub(binding.get(id, options)),
      getByName: (text, options) => stub(binding.getByName(text, options)),
    };
  }
  return bindings;
}

export default {
  fetch: (request, env, context) => release.default.fetch(request, calling(env), context),
  scheduled: (event, env, context) => release.default.scheduled(event, calling(env), context),
};`;
