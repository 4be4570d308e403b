import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
}

describe.each([
  ["package-lock.json", 300],
  ["bench/package-lock.json", 20],
  ["clients/package-lock.json", 100],
])("%s", (file, fewest) => {
  const { packages } = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, LockedPackage> };
  // The root has the name "": it is this checkout.
  const locked = Object.entries(packages).filter(([name]) => name !== "");

  test("has the hash of every package, of other platforms too: an install takes nothing else", () => {
    expect(locked.length).toBeGreaterThan(fewest);
    const unhashed = locked.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
    expect(unhashed.map(([name]) => name)).toEqual([]);
  });

  test("names no registry: each machine's own is asked", () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
