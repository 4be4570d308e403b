import { Refusal } from "../lib/command-line.ts";
import { CHECKS } from "./checks.ts";
import type { Expected, Found } from "./finding.ts";
import { type ProbePorts, probe, type Target } from "./probe.ts";

/** What each check finds there; a {@link Refusal} where nothing answers. */
export async function examine(target: Target, expected: Expected, ports: ProbePorts): Promise<readonly Found[]> {
  const answers = await probe(target, ports, expected.addresses).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refusal([`network: ${target.address} does not answer (${reason})`]);
  });
  return CHECKS.map(({ name, isOfVersion, find }) => ({ name, isOfVersion, ...find(answers, expected) }));
}
