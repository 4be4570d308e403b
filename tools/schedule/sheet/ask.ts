import { parseDay } from "../../../src/base/utc.ts";
import { isAmountText } from "../../../src/supply/file/amount.ts";
import type { Mapping } from "./mapping.ts";
import { type Answer, answered, type OpenPlace } from "./open-places.ts";
import type { Proposal } from "./propose.ts";

/** Terminal on which a person answers by a choice or a text; undefined: the person stops. */
export interface Terminal {
  choose(
    question: string,
    choices: readonly { readonly value: string; readonly means: string }[],
  ): Promise<string | undefined>;
  write(question: string, problemOf: (answer: string) => string | undefined): Promise<string | undefined>;
}

/**
 * Asks for every open place, meanings first, until none is left or the person stops. `begun` has the person's own
 * statements; the proposal is made again after each answer.
 */
export async function askOpenPlaces(
  proposal: Proposal,
  terminal: Terminal,
  begun: Mapping,
  again: (mapping: Mapping) => Proposal,
): Promise<Proposal> {
  let [current, answers] = [proposal, begun];
  for (let place = nextOf(current); place !== undefined; place = nextOf(current)) {
    const answer = await answerOf(place, terminal);
    if (answer === undefined) break;
    answers = answered(answers, place, answer);
    current = again(answers);
  }
  return current;
}

export function nextOf({ places }: Proposal): OpenPlace | undefined {
  return places.find(({ member }) => member === "is") ?? places[0];
}

async function answerOf({ choices, member, question }: OpenPlace, terminal: Terminal): Promise<Answer | undefined> {
  const entries = Object.entries(choices);
  const [form, means] = entries.find(([value]) => value.startsWith("[")) ?? [];
  const list = entries.map(([value, text]) => ({ value, means: text }));
  const value = list.length === 1 && form !== undefined ? form : await terminal.choose(question, list);
  if (value === undefined) return undefined;
  if (value !== form) return /^\d+$/.test(value) ? Number(value) : value;
  const text = await terminal.write(`${question}: ${means} ${form}`, (answer) => problemOf(member, answer));
  return member === "sum_of" ? text?.split(",").map((letter) => letter.trim()) : text;
}

function problemOf(member: string, answer: string): string | undefined {
  if (member === "start") return parseDay(answer) === undefined ? "must be a day as YYYY-MM-DD" : undefined;
  if (member === "rest") return /^[a-z][a-z0-9_]*$/.test(answer) ? undefined : "must be an id such as reserve";
  if (member === "of") return isAmountText(answer) ? undefined : "must be a number of tokens";
  return /^[A-Z]+( *, *[A-Z]+)*$/.test(answer) ? undefined : "must be letters of columns, as B,C";
}
