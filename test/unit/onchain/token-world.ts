import { type DeploymentWorld, deploymentWorld, type ScriptedChain } from "../../support/deployment-world.ts";
import { bucket, file, valid, wallet } from "../supply/schedules.ts";

export const TOKEN = 100_000_000n;
export const MAX = 1_000_000_000n * TOKEN;
export const MINTED = 950_000_000n * TOKEN;
export const TREASURY = wallet("0xa1", { category: "treasury" });
export const SMALL = wallet("0xa2", { category: "foundation" });
export const BURN = wallet("0xa3", { category: "burn" });
export const keyOf = ({ address }: { readonly address: string }) => `native ${address} account`;

export const scheduleWith = (wallets: readonly unknown[]) =>
  valid(
    file({
      max_supply: "1000000000",
      buckets: [
        bucket({
          allocation: "1000000000",
          genesis: "500000000",
          phases: [{ kind: "never", amount: "500000000" }],
        }),
      ],
      wallets,
    }),
  );
export const SCHEDULE = scheduleWith([TREASURY, SMALL, BURN]);
export const BALANCES: Readonly<Record<string, bigint>> = {
  [keyOf(TREASURY)]: 400_000_000n * TOKEN,
  [keyOf(SMALL)]: 3_000_000n * TOKEN,
  [keyOf(BURN)]: 0n,
};
export const CIRCULATING = "547000000";

export function worldOf(
  count: number,
  chain: Partial<ScriptedChain> = {},
  options: Partial<Parameters<typeof deploymentWorld>[0]> = {},
): DeploymentWorld {
  const labels = Array.from({ length: count }, (_, index) => `upstream-${index + 1}`);
  return deploymentWorld({
    schedule: SCHEDULE,
    nodes: labels,
    settings: { RATES_URL: "none" },
    chain: { minted: () => MINTED, balance: (holding) => BALANCES[holding] ?? 0n, ...chain },
    ...options,
  });
}

/** The bare numbers as a tracker sees them, a minute later: what is served, then what that renewed. */
export async function figuresAfter(world: DeploymentWorld, seconds = 60) {
  world.pass(seconds);
  const paths = ["total-supply", "circulating-supply-on-chain", "burned-supply", "stable-supply"];
  await world.get("/api/total-supply");
  await world.get("/api/stable-supply");
  world.evict();
  const texts: (string | number)[] = [];
  for (const path of paths) {
    const { status, text } = await world.get(`/api/${path}`);
    texts.push(status === 200 ? text : status);
  }
  return { total: texts[0], circulating: texts[1], burned: texts[2], stable: texts[3] };
}

export const problemsOf = async ({ json }: DeploymentWorld) => (await json("/api/health")).problems;

export type Node = DeploymentWorld["nodes"][number];

export const HONEST = { total: "950000000", circulating: CIRCULATING, burned: "0", stable: "5" };

/** The node says something else of one member. */
export function lie(node: Node, name: string, said: (truth: bigint) => bigint | undefined): void {
  node.lie = (asked, truth) => (asked === name ? said(truth) : undefined);
}
