import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, longest first: begun last, they would run alone at the end. */
const LONGEST = [
  "deploy-platform",
  "page-states",
  "far-edge",
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

/** Orders the files of a run without what an earlier run has measured, which a fresh checkout does not have. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return index === -1 ? LONGEST.length : index;
    };
    // Each in a place of its project: projects, and their groups, stay in their order.
    const ranked = sorted
      .filter((file) => file.project.name === "system")
      .toSorted((left, right) => rank(left) - rank(right));
    let next = 0;
    return sorted.map((file) => (file.project.name === "system" ? (ranked[next++] ?? file) : file));
  }
}
