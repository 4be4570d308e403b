import { Refusal } from "../lib/command-line.ts";
import { CHECKS } from "./checks.ts";
import type { Baseline, CheckResult } from "./finding.ts";
import { type ProbePorts, probe, type Target } from "./probe.ts";

/** Runs every check against a deployment; throws a {@link Refusal} when it does not answer. */
export async function runChecks(
  target: Target,
  expected: Baseline,
  ports: ProbePorts,
): Promise<readonly CheckResult[]> {
  const answers = await probe(target, ports, expected.addresses).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refusal([`network: ${target.address} does not answer (${reason})`]);
  });
  return CHECKS.map(({ name, isOfVersion, find }) => ({ name, isOfVersion, ...find(answers, expected) }));
}
