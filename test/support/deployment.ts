import publicDocument from "../../openapi/public.json" with { type: "json" };
import { baseUrl, call } from "./call.ts";
import { exampleOf } from "./openapi.ts";

/**
 * An example of a documented path that the tested deployment can answer with its figure. Inside workerd every documented
 * example works; another deployment has products of its own.
 */
export async function exampleHere(path: string): Promise<string> {
  if (baseUrl === undefined || !path.includes("{id}")) return exampleOf(publicDocument, path);
  const response = await call("GET", "/api/rates");
  const { data = [] } = (await response.json()) as { readonly data?: readonly { readonly id: string }[] };
  return path.replace("{id}", encodeURIComponent(data[0]?.id ?? "unknown"));
}
