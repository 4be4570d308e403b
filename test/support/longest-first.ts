import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest, longest first. If they began last, they would run alone at the end. */
const LONGEST = [
  "deploy-platform",
  "page-states",
  "far-edge",
  "far-edge-order",
  "quickstart",
  "deploy-nodes",
  "page",
  "gateway-faults",
  "docs",
  "damaged-store",
  "evm",
  "rehearse",
  "page-evm",
  "fuzz",
  "dev",
  "start-host",
  "page-verify",
  "deploy",
  "help",
].map((name) => `/test/system/${name}.test.ts`);

/** Orders a run's files without measurements of earlier runs, which a fresh checkout does not have. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return index === -1 ? LONGEST.length : index;
    };
    // Files only change places within their project, so that projects and their groups stay in order.
    const ranked = sorted
      .filter((file) => file.project.name === "system")
      .toSorted((left, right) => rank(left) - rank(right));
    let next = 0;
    return sorted.map((file) => (file.project.name === "system" ? (ranked[next++] ?? file) : file));
  }
}
