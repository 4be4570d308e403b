import { type Bench, check, type Verdict } from "./check-response.ts";
import { requestOf } from "./generate.ts";
import { described, type RawRequest } from "./raw-request.ts";
import { Wire } from "./wire.ts";
import { look } from "./world.ts";

export interface Plan {
  readonly url: string;
  readonly seed: number;
  /** The first request's index; a failure is replayed from its own. */
  readonly from: number;
  readonly count: number;
  /** Concurrent connections. */
  readonly width: number;
  readonly secrets?: readonly string[];
  /** The campaign ends after this number of failures. */
  readonly maxFailures?: number;
  readonly onProgress?: (done: number) => void;
}

export interface Failure {
  readonly index: number;
  readonly raw: RawRequest;
  readonly status: number | "none";
  readonly body: string;
  readonly faults: readonly string[];
}

export interface Report {
  readonly sent: number;
  readonly seconds: number;
  readonly failures: readonly Failure[];
  readonly statuses: Readonly<Record<string, number>>;
  readonly by: Readonly<Record<Verdict["by"], number>>;
}

/** Sends the requests of a seed and checks every response. */
export async function campaign(plan: Plan): Promise<Report> {
  const world = await look(plan.url);
  const bench: Bench = { chain: world.chain, secrets: plan.secrets ?? [] };
  const failures: Failure[] = [];
  const statuses: Record<string, number> = {};
  const by: Record<Verdict["by"], number> = { product: 0, page: 0, runtime: 0, none: 0 };
  const startedAtMs = performance.now();
  let next = plan.from;
  let sent = 0;
  const worker = async (): Promise<void> => {
    const wire = new Wire(plan.url);
    while (next < plan.from + plan.count && failures.length < (plan.maxFailures ?? 20)) {
      const index = next;
      next += 1;
      const raw = requestOf(plan.seed, index, world);
      const answer = await wire.send(raw);
      const { by: who, faults } = check(raw, answer, bench);
      by[who] += 1;
      const status = answer.kind === "none" ? "none" : answer.status;
      statuses[status] = (statuses[status] ?? 0) + 1;
      sent += 1;
      plan.onProgress?.(sent);
      if (faults.length === 0) continue;
      const body = answer.kind === "none" ? "" : answer.body.toString("utf8").slice(0, 400);
      failures.push({ index, raw, status, body, faults });
    }
    wire.close();
  };
  await Promise.all(Array.from({ length: plan.width }, worker));
  return { sent, seconds: (performance.now() - startedAtMs) / 1_000, failures, statuses, by };
}

/** A failure as text, with the command that repeats it. */
export function reported({ index, raw, status, body, faults }: Failure, seed: number): string {
  return [
    `request ${index} of seed ${seed}: npm run fuzz -- --seed ${seed} --from ${index} --count 1`,
    ...faults.map((fault) => `  - ${fault}`),
    described(raw),
    `-> ${status} ${body}`,
  ].join("\n");
}
