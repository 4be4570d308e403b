import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { operatorSettings } from "../support/operator-files.ts";
import { asReleased } from "../support/released-settings.ts";

/** Settings as released, whatever an operator has changed. */
const RELEASED = asReleased(readFileSync("wrangler.toml", "utf8"), "edge-api");

test("the tests' settings are those of the release, whatever an operator has set", () => {
  const edited = operatorSettings(RELEASED);
  for (const own of ["figures-of-plain-staging", "rates.example.org", 'CHAIN_ID = "9"', "weur", "figures.example.org"])
    expect(edited).toContain(own);
  expect(asReleased(edited, "edge-api")).toBe(RELEASED);
});
