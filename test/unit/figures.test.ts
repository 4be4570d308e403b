import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import publicDocument from "../../openapi/public.json" with { type: "json" };
import { type Capabilities, FIGURES, RECORDED_FIGURES, whyNotOffered } from "../../src/figures.ts";

const read = (path: string): string => readFileSync(path, "utf8");
const { paths, components } = publicDocument;
const operations = Object.entries(paths);
const bare = FIGURES.flatMap(({ path }) => path ?? []);

const enumOf = (schema: string): string =>
  `the enum of ${schema} in openapi/public.json has the names of src/figures.ts; after a change run npm run api:types`;

describe("the table of figures is what", () => {
  test("the API document has as bare numbers", () => {
    const isBare = ([path, { get }]: (typeof operations)[number]) =>
      !path.includes("{") && JSON.stringify(get.responses["200"]).includes("#/components/schemas/ResultForm");
    const message = "paths of openapi/public.json whose 200 has ResultForm are those of the rows in src/figures.ts";
    expect(operations.flatMap((each) => (isBare(each) ? [each[0]] : [])).sort(), message).toEqual([...bare].sort());
  });

  test("the API document names in history and as badges", () => {
    expect([...components.schemas.HistoryFigure.enum].sort(), enumOf("HistoryFigure")).toEqual(
      [...RECORDED_FIGURES].sort(),
    );
    const badges = FIGURES.filter(({ badge }) => badge !== null).flatMap(({ path }) => path?.split("/").at(-1) ?? []);
    expect([...components.parameters.BadgeFigure.schema.enum].sort(), enumOf("BadgeFigure")).toEqual(
      [...badges, "apy"].sort(),
    );
    const embed = read("page/docs/embed.md");
    for (const name of badges) expect(embed.includes(`\`${name}\``), `add ${name} to page/docs/embed.md`).toBe(true);
  });

  test.each(bare)("README names: %s", (path) => {
    expect(read("README.md").includes(`\`${path}\``), `add ${path} to the table of README.md`).toBe(true);
  });

  // Health tells nothing of a figure that is not in its document.
  test("health names, but for those that are of one reading with the total", () => {
    const named: readonly string[] = components.schemas.Health.properties.figures.items.properties.name.enum;
    const own = FIGURES.filter(({ name, source }) => source !== "native" || name === "total_supply");
    expect([...named].sort(), enumOf("Health (figures, name)")).toEqual(
      [...own.map(({ name }) => name), "rates", "supply_breakdown"].sort(),
    );
  });

  test.each(FIGURES)("the page offers by its title: $title", ({ title }) => {
    expect(title).toMatch(/^The [a-z]/);
  });
});

describe("a deployment", () => {
  const PLAN = { watchedPlan: true, unwatchedLocks: true };
  const WALLETS = { wallets: true, walletsOnChain: true, burnWallets: true, mintedOnce: true, ...PLAN };
  const CHAINS = { chain: true, everyChain: true, bridged: true };
  const FILE = { unlocks: true, dayPhases: true, maximum: true };
  const ALL: Capabilities = { ...FILE, ...CHAINS, stableToken: true, ...WALLETS, staking: true, yields: true };
  const absentIn = (offer: Partial<Capabilities>) =>
    FIGURES.filter((row) => whyNotOffered(row, { ...ALL, ...offer }) !== null).map(({ name }) => name);

  test.each<[string, Partial<Capabilities>, string[]]>([
    ["with everything lacks nothing", {}, []],
    [
      "without a chain has the schedule's figures",
      { chain: false },
      FIGURES.filter(({ source }) => source !== "schedule").map(({ name }) => name),
    ],
    ["without a stable token has no stable supply", { stableToken: false }, ["stable_supply"]],
    [
      "without wallets lacks what they hold",
      { wallets: false },
      [
        "circulating_supply_on_chain",
        "circulating_supply_hybrid",
        "circulating_supply_above_plan",
        "non_circulating_supply",
      ],
    ],
    [
      "whose schedule lists a wallet on another chain has no sum of all wallets",
      { walletsOnChain: false },
      [
        "circulating_supply_on_chain",
        "circulating_supply_hybrid",
        "circulating_supply_above_plan",
        "non_circulating_supply",
      ],
    ],
    [
      "whose allocations with locked tokens list no wallet does not know what is above plan",
      { watchedPlan: false },
      ["circulating_supply_above_plan"],
    ],
    [
      "whose locked tokens are all in listed wallets subtracts nothing else",
      { unwatchedLocks: false },
      ["circulating_supply_hybrid"],
    ],
    ["whose token is bridged nowhere has no escrow that could be short", { bridged: false }, ["escrow_shortfall"]],
    [
      "that does not read every chain of its token has no sum over them",
      { everyChain: false },
      [
        "circulating_supply_on_chain",
        "circulating_supply_hybrid",
        "circulating_supply_above_plan",
        "burned_supply",
        "burned_by_contract",
        "total_supply",
        "non_circulating_supply",
        "escrow_shortfall",
      ],
    ],
    ["whose phases all step by months has no figure of the day", { dayPhases: false }, ["circulating_supply_daily"]],
    ["whose token has no maximum has none", { maximum: false }, ["max_supply"]],
    [
      "of wallets alone has no plan that more could circulate than",
      { unlocks: false, watchedPlan: false, unwatchedLocks: false },
      ["circulating_supply_daily", "circulating_supply_hybrid", "circulating_supply_above_plan"],
    ],
    [
      "of wallets alone has what circulates only as what circulates on chain",
      { unlocks: false, everyChain: false },
      [
        "circulating_supply",
        "circulating_supply_daily",
        "circulating_supply_on_chain",
        "circulating_supply_hybrid",
        "circulating_supply_above_plan",
        "burned_supply",
        "burned_by_contract",
        "total_supply",
        "non_circulating_supply",
        "escrow_shortfall",
      ],
    ],
    ["whose maximum was not minted once does not know what was burned", { mintedOnce: false }, ["burned_by_contract"]],
    ["whose schedule lists no burn wallet has no burned supply", { burnWallets: false }, ["burned_supply"]],
    [
      "that does not read native staking has nothing of it",
      { staking: false },
      ["staked_supply", "staked_percent", "yearly_emission"],
    ],
  ])("%s", (_what, offer, absent) => {
    expect(absentIn(offer)).toEqual(absent);
  });

  test("that reads no chain says so, also of a token on several", () => {
    const reasonIn = (offer: Partial<Capabilities>) =>
      whyNotOffered({ source: "native" }, { ...ALL, everyChain: false, ...offer });
    expect(reasonIn({ chain: false })).toBe("This deployment reads no chain.");
    expect(reasonIn({})).toMatch(/does not read every chain/);
  });
});
