import { parseDay } from "../../../src/base/utc.ts";
import type { Mapping } from "./mapping.ts";
import { answered, type OpenPlace } from "./open-places.ts";
import type { Proposal } from "./propose.ts";

/** The terminal: one question, whose answer is one of the choices or a text. */
export interface Terminal {
  choose(question: string, choices: readonly { readonly value: string; readonly means: string }[]): Promise<string>;
  write(question: string, problemOf: (answer: string) => string | undefined): Promise<string>;
}

/** Asks for every open place, meanings first; `begun` has what a person has said, and from it the rest is found anew. */
export async function ask(
  proposal: Proposal,
  terminal: Terminal,
  begun: Mapping,
  again: (mapping: Mapping) => Proposal,
): Promise<Proposal> {
  let [current, answers] = [proposal, begun];
  for (let place = nextOf(current); place !== undefined; place = nextOf(current)) {
    answers = answered(answers, place, await answerOf(place, terminal));
    current = again(answers);
  }
  return current;
}

export function nextOf({ places }: Proposal): OpenPlace | undefined {
  return places.find(({ member }) => member === "is") ?? places[0];
}

async function answerOf(
  { choices, member, question }: OpenPlace,
  terminal: Terminal,
): Promise<string | number | readonly string[]> {
  const entries = Object.entries(choices);
  const [form, means] = entries.find(([value]) => value.startsWith("[")) ?? [];
  const written = () => terminal.write(`${question}: ${means} ${form}`, (answer) => problemOf(member, answer));
  if (entries.length === 1 && form !== undefined) {
    const answer = await written();
    return member === "sum_of" ? answer.split(",").map((letter) => letter.trim()) : answer;
  }
  const value = await terminal.choose(
    question,
    entries.map(([each, text]) => ({ value: each, means: text })),
  );
  if (value === form) return written();
  return member === "first" ? Number(value) : value;
}

function problemOf(member: string, answer: string): string | undefined {
  if (member === "start") return parseDay(answer) === undefined ? "must be a day as YYYY-MM-DD" : undefined;
  if (member === "rest") return /^[a-z][a-z0-9_]*$/.test(answer) ? undefined : "must be an id such as reserve";
  return answer === "" ? "must not be empty" : undefined;
}
