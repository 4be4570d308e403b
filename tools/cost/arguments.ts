import { parseWords, Refusal } from "../command-line.ts";
import { DEFAULT_LOAD, type Load, usualLoad } from "./model.ts";

export const USAGE = `usage: npm run cost -- [--requests 100e6] [--mix api:0.6,v1:0.4] [--on-chain 0.3] [--hit 0.6] [--regions 4]
                      [--shards 1] [--shields 6] [--metrics 0.01] [--logs 0.001] [--traces 0]
  --requests   a month                               --mix       shares of /api and /v1
  --on-chain   share of /api that reads the chain    --hit       share of /v1 answered from memory
  --regions    with traffic                          --shards    LIMITER_SHARDS
  --shields    shield objects per region             --metrics, --logs, --traces   data points, lines, traces per request
without arguments: the table of docs/cost.md`;

const TEXT = { type: "string" } as const;
const OPTIONS = {
  requests: TEXT,
  mix: TEXT,
  "on-chain": TEXT,
  hit: TEXT,
  regions: TEXT,
  shards: TEXT,
  shields: TEXT,
  metrics: TEXT,
  logs: TEXT,
  traces: TEXT,
} as const;

/** The requested load; throws a Refusal. */
export function parseLoad(args: string[]): Load {
  const { values } = parseWords(USAGE, { args, options: OPTIONS });
  const requests = number("--requests", values.requests, DEFAULT_LOAD.requests, 0, 1e13);
  const usual = usualLoad(requests, nodeShare(values.mix));
  return {
    requests,
    nodeShare: usual.nodeShare,
    onChainShare: number("--on-chain", values["on-chain"], usual.onChainShare, 0, 1),
    hitRate: number("--hit", values.hit, usual.hitRate, 0, 1),
    regions: number("--regions", values.regions, usual.regions, 1, 10),
    shards: number("--shards", values.shards, usual.shards, 1, 64),
    shields: number("--shields", values.shields, usual.shields, 1, 64),
    metricsRate: number("--metrics", values.metrics, DEFAULT_LOAD.metricsRate, 0, 10),
    logRate: number("--logs", values.logs, DEFAULT_LOAD.logRate, 0, 10),
    traceRate: number("--traces", values.traces, DEFAULT_LOAD.traceRate, 0, 1),
  };
}

function number(flag: string, text: string | undefined, fallback: number, min: number, max: number): number {
  const value = text === undefined ? fallback : Number(text);
  if (text === "" || !(value >= min && value <= max))
    throw new Refusal([`${flag} takes a number from ${min} to ${max}`]);
  return value;
}

function nodeShare(mix: string | undefined): number {
  if (mix === undefined) return DEFAULT_LOAD.nodeShare;
  const shares = new Map(
    mix.split(",").map((part): [string, string] => {
      const [name = "", share = ""] = part.split(":");
      return [name, share];
    }),
  );
  const [api = 0, v1 = 0] = ["api", "v1"].map((name) => Number(shares.get(name) ?? "0"));
  const isKnown = [...shares.keys()].every((name) => name === "api" || name === "v1");
  if (!isKnown || !(api >= 0 && v1 >= 0) || Math.abs(api + v1 - 1) > 1e-9)
    throw new Refusal(["--mix takes shares of api and v1 that add up to 1, such as api:0.5,v1:0.5"]);
  return v1;
}
