import { parseWords, Refusal } from "../command-line.ts";
import { DEFAULT_LOAD, type Load } from "./model.ts";

export const USAGE = `usage: npm run cost -- [--requests 100e6] [--mix api:0.5,v1:0.5] [--hit 0.9] [--regions 4] [--shards 1]
                      [--metrics 0.01] [--logs 0.001]
  --requests   a month          --mix      shares of /api and /v1       --hit    share of /v1 answered from memory
  --regions    with traffic     --shards   LIMITER_SHARDS               --metrics, --logs   data points, lines per request
without arguments: the table of docs/cost.md`;

const TEXT = { type: "string" } as const;
const OPTIONS = {
  requests: TEXT,
  mix: TEXT,
  hit: TEXT,
  regions: TEXT,
  shards: TEXT,
  metrics: TEXT,
  logs: TEXT,
} as const;

/** The requested load; throws a Refusal. */
export function parseLoad(args: string[]): Load {
  const { values } = parseWords(USAGE, { args, options: OPTIONS });
  return {
    requests: number("--requests", values.requests, DEFAULT_LOAD.requests, 0, 1e13),
    nodeShare: nodeShare(values.mix),
    hitRate: number("--hit", values.hit, DEFAULT_LOAD.hitRate, 0, 1),
    regions: number("--regions", values.regions, DEFAULT_LOAD.regions, 1, 10),
    shards: number("--shards", values.shards, DEFAULT_LOAD.shards, 1, 64),
    metricsRate: number("--metrics", values.metrics, DEFAULT_LOAD.metricsRate, 0, 10),
    logRate: number("--logs", values.logs, DEFAULT_LOAD.logRate, 0, 10),
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
