import { expect, test } from "vitest";
import { flatness, withSection } from "../../soak/report.ts";

test.each<[string, readonly number[], boolean]>([
  ["steady", Array.from({ length: 40 }, () => 100), true],
  ["warming up, then steady", Array.from({ length: 40 }, (_, at) => (at < 10 ? 50 + at * 5 : 100)), true],
  ["sawtooth", Array.from({ length: 40 }, (_, at) => 100 + (at % 5) * 8), true],
  ["a leak", Array.from({ length: 40 }, (_, at) => 100 + at * 3), false],
])("%s: flat is %3$s", (_what, samples, flat) => {
  expect(flatness(samples).flat).toBe(flat);
});

test.each([
  ["# Results\n\n## Limiter\n\nA\n", "# Results\n\n## Limiter\n\nA\n\n## Soak\n\nnew\n"],
  ["# Results\n\n## Soak\n\nold\n", "# Results\n\n## Soak\n\nnew\n"],
  ["# Results\n\n## Soak\n\nold\n\n## Limiter\n\nA\n", "# Results\n\n## Soak\n\nnew\n\n## Limiter\n\nA\n"],
])("only the section itself is replaced: %j", (results, expected) => {
  expect(withSection(results, "## Soak\n\nnew\n")).toBe(expected);
});
