import { inject } from "vitest";
import "./started-product.js";

declare module "vitest" {
  interface ProvidedContext {
    productUrl: string;
  }
}

/** Product that the tests of the page and the manual read. A test that stops or configures one starts its own. */
export const product = { url: inject("productUrl") };
