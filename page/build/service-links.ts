import type { Brand } from "../view/site.ts";
import type { OpenApi } from "./openapi.ts";

/** Addresses of the operator's terms, contact and status page; an absent or empty one does not exist. */
export type ServiceLinks = Pick<Brand, "terms" | "contact" | "status">;

const LABELS = { terms: "Terms", contact: "Contact", status: "Status" } as const;
const NAMES = Object.keys(LABELS) as (keyof typeof LABELS)[]; // the keys of LABELS

/** Lists the links that exist, with their labels. */
export function serviceLinks(links: ServiceLinks): { readonly label: string; readonly url: string }[] {
  return NAMES.flatMap((name) => (links[name] ? [{ label: LABELS[name], url: links[name] }] : []));
}

/** Adds terms and contact to an API document, where generators, directories and lawyers look for them. */
export function withServiceLinks(document: OpenApi, { terms, contact }: ServiceLinks): OpenApi {
  const member = contact?.startsWith("mailto:") ? { email: contact.slice("mailto:".length) } : { url: contact };
  return {
    ...document,
    info: {
      ...document.info,
      ...(terms ? { termsOfService: terms } : {}),
      ...(contact ? { contact: { ...document.info.contact, ...member } } : {}),
    },
  };
}

/** Notes which links the brand lacks. */
export function missingLinks(links: ServiceLinks): readonly string[] {
  const missing = NAMES.filter((name) => !links[name]);
  return missing.length === 0
    ? []
    : [`page/brand.json has no ${missing.join(", ")}: forms of trackers and callers ask for these addresses`];
}
