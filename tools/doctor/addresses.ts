import { writtenBody } from "../../src/addresses/address-routes.ts";
import {
  type AddressUnits,
  figuresOf,
  type RegisteredAddress,
  type RegisteredFigure,
} from "../../src/addresses/registered-address.ts";
import { unitOf } from "../../src/figures.ts";
import { counted } from "../lib/counted.ts";
import type { Finding } from "../lib/finding.ts";
import { pathOfFigure } from "./addressed.ts";
import type { Baseline } from "./finding.ts";
import { type Answer, type Answers, parseObject } from "./probe.ts";

/** Checks that each registered address answers its figure, and that the deployment serves this checkout's file. */
export function addressFinding({ health, registered }: Answers, { schedule, addresses = null }: Baseline): Finding {
  if (schedule === null) return { is: "not compared with a file", problems: [] };
  const served = parseObject(health.body)?.["addresses_sha256"] ?? null;
  const wanted = addresses?.sha256 ?? null;
  const hash =
    served === wanted
      ? []
      : [
          `the deployment serves addresses.json with the hash ${served}, the file here has ${wanted}; deploy this checkout`,
        ];
  const { entries = [] } = addresses ?? {};
  const wrong = entries.flatMap((entry, index) => {
    const answer = registered.asked[index];
    return answer === undefined ? [] : problemsOf(entry, answer, registered, schedule.token.decimals);
  });
  const count = counted(entries.length, "registered address", "registered addresses");
  return { is: entries.length === 0 ? "none" : `${count}, each with its figure`, problems: [...hash, ...wrong] };
}

function problemsOf(
  { body }: RegisteredAddress,
  { status, body: bytes, path: target }: Answer,
  { before, after }: Answers["registered"],
  tokenDecimals: number,
): string[] {
  const asked = figuresOf(body).map(({ figure, units }) => {
    const answers = [...before, ...after].filter((each) => each.path === pathOfFigure(figure));
    return { figure, units, answers };
  });
  const text = Buffer.from(bytes, "latin1").toString();
  // A figure that is missing is reported by the health check.
  if (asked.some(({ answers }) => answers.some((each) => each.status !== 200))) return [];
  if (status !== 200) return [`${target} answers ${status} instead of its figure; deploy this checkout`];
  const digits = asked.map(({ figure, units, answers }) => [
    ...new Set(answers.flatMap((answer) => digitsIn(answer.body, figure, units, tokenDecimals))),
  ]);
  if (combinations(digits).some((some) => writtenBody(body, some).text === text)) return [];
  const names = [...new Set(asked.map(({ figure }) => figure))].join(", ");
  const what = JSON.stringify(text.slice(0, 60));
  return [`${target} is ${what}, which is not ${names}; deploy this checkout`];
}

/**
 * Writes an exact figure in a unit. Base units of the stable token have several forms, because its decimals are not
 * known here.
 */
function digitsIn(exact: string, figure: RegisteredFigure, units: AddressUnits, tokenDecimals: number): string[] {
  const [whole = "", fraction = ""] = exact.split(".");
  if (units === "exact" || unitOf({ name: figure }) !== undefined) return [exact];
  if (units === "tokens") return [whole];
  const known =
    figure === "stable_supply" ? Array.from({ length: MAX_DECIMALS }, (_, index) => index) : [tokenDecimals];
  return known
    .filter((decimals) => decimals >= fraction.length)
    .map((decimals) => String(BigInt(whole + fraction.padEnd(decimals, "0"))));
}

const MAX_DECIMALS = 25;

/** All combinations with one text of each list. */
function combinations(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return lists.reduce<readonly (readonly string[])[]>(
    (chosen, list) => chosen.flatMap((some) => list.map((each) => [...some, each])),
    [[]],
  );
}
