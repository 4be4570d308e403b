import { commandOptions } from "../../tools/command-line.ts";
import { type BareProduct, startBareProduct } from "../support/bare-product.ts";
import { campaign, type Report, reported } from "./campaign.ts";

const DEFAULT_COUNT = 100_000;
/** The number of a run's requests that are sent under the default quotas. */
const AT_REAL_QUOTAS = 0.05;
const WIDE_OPEN = { RATE_LIMIT_DEFAULT: "10000/1", RATE_LIMIT_NODE: "10000/1" };
const USAGE = "usage: npm run fuzz -- [--seed N] [--from N] [--count N] [--url URL]";
const HELP = `${USAGE}
  --seed N     generates other requests (default: from the clock; printed)
  --from N     the index of the first request, to repeat one that failed
  --count N    how many requests (default ${DEFAULT_COUNT})
  --url URL    a running product; without it one is started`;

/** Fuzzes the running product, or one that it starts; exit 1 when any response broke a promise. */
async function main(): Promise<number> {
  const text = { type: "string" } as const;
  const values = commandOptions(HELP, { seed: text, from: text, count: text, url: text });
  const number = (given: string | undefined, otherwise: number): number => {
    if (given !== undefined && !/^\d{1,9}$/.test(given)) throw new TypeError(`not a number: ${given}`);
    return given === undefined ? otherwise : Number(given);
  };
  const seed = number(values.seed, Date.now() % 1_000_000_000);
  const [from, count] = [number(values.from, 0), number(values.count, DEFAULT_COUNT)];
  const run = {
    seed,
    width: 8,
    onProgress: (done: number) => void (done % 5_000 === 0 && console.log(`${done} sent`)),
  };
  console.log(`seed ${seed}`);
  if (values.url !== undefined) return seen(await campaign({ ...run, url: values.url, from, count }), seed);
  const limited = count < 100 ? 0 : Math.floor(count * AT_REAL_QUOTAS);
  let worst = await withProduct(WIDE_OPEN, async ({ url }) =>
    seen(await campaign({ ...run, url, from, count: count - limited }), seed),
  );
  if (limited > 0) {
    console.log("at the quotas that everyone has:");
    const after = { ...run, from: from + count - limited, count: limited };
    worst += await withProduct({}, async ({ url }) => seen(await campaign({ ...after, url }), seed));
  }
  return worst === 0 ? 0 : 1;
}

async function withProduct<T>(vars: Record<string, string>, work: (product: BareProduct) => Promise<T>): Promise<T> {
  const product = await startBareProduct(vars);
  try {
    return await work(product);
  } finally {
    await product.remove();
  }
}

function seen({ sent, seconds, failures, statuses, by }: Report, seed: number): number {
  console.log(`${sent} requests in ${seconds.toFixed(1)} s, answered by`, by);
  console.log("statuses", statuses);
  for (const failure of failures) console.error(`\n${reported(failure, seed)}`);
  console.log(failures.length === 0 ? "every promise held" : `${failures.length} answers broke a promise`);
  return failures.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (cause) {
  console.error(cause instanceof TypeError ? `fuzz: ${cause.message}; ${USAGE}` : cause);
  process.exitCode = 1;
}
