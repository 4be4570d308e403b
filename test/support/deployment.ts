import publicDocument from "../../openapi/public.json" with { type: "json" };
import { baseUrl, call } from "./call.ts";
import { exampleOf } from "./openapi.ts";

/**
 * An example of a documented path that the tested deployment can answer with its figure; null: it has none, by its own
 * health report and listing. Inside workerd every documented example works.
 */
export async function exampleHere(path: string): Promise<string | null> {
  const example = exampleOf(publicDocument, path);
  if (baseUrl === undefined) return example;
  if (path === "/api/stable-supply") return (await servesStableSupply()) ? example : null;
  if (path !== "/api/rates/{id}/history") return example;
  const id = await listedProduct();
  return id === null ? null : path.replace("{id}", encodeURIComponent(id));
}

/** Whether the deployment has a stable token (`STABLE_ASSET`). */
async function servesStableSupply(): Promise<boolean> {
  const { figures } = (await (await call("GET", "/api/health")).json()) as Report;
  return figures.some(({ name }) => name === "stable_supply");
}

/** The id of a product of the deployment's own listing; null: the listing cannot be read. */
async function listedProduct(): Promise<string | null> {
  const response = await call("GET", "/api/rates");
  const { data = [] } = (await response.json()) as { readonly data?: readonly { readonly id: string }[] };
  return data[0]?.id ?? null;
}

interface Report {
  readonly figures: readonly { readonly name: string }[];
}
