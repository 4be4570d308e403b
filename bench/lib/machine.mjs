import { existsSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";

export const BENCH = join(import.meta.dirname, "..");
export const ROOT = join(BENCH, "..");
export const WRK = "/usr/bin/wrk";
export const NGINX = "/usr/sbin/nginx";

const WITH_PEERS = ["limiter", "distance", "gateway"];
const WITH_LOAD = ["limiter", "gateway"];

/** nginx is a peer where it is installed. */
export const hasNginx = () => existsSync(NGINX);

/** The tools missing for these sections, each with the command that installs it. */
export function missing(sections) {
  const needs = [
    [join(ROOT, "node_modules", "workerd"), "the product's packages: npm ci"],
    ...(sections.some((name) => WITH_PEERS.includes(name))
      ? [[join(BENCH, "node_modules", "hono"), "the peers' packages: npm ci --prefix bench"]]
      : []),
    ...(sections.some((name) => WITH_LOAD.includes(name)) ? [[WRK, "the load tool wrk: apt-get install wrk"]] : []),
  ];
  return needs.filter(([path]) => !existsSync(path)).map(([, what]) => what);
}

export function machine() {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${first?.model.trim() ?? "unknown"}), ${memory} GiB, ${process.platform} ${process.arch}, load generator on the same machine`;
}

/**
 * Millions of steps of a fixed loop that one core does in a second: the machine's current speed under its current load.
 */
export function machineSpeed() {
  const steps = 50_000_000;
  const startedAt = performance.now();
  let state = 1;
  for (let step = 0; step < steps; step += 1) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  const seconds = (performance.now() - startedAt) / 1_000;
  return state === 0 ? 0 : Math.round(steps / seconds / 1e6);
}
