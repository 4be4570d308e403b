import { EXIT, Refusal } from "../lib/command-line.ts";
import type { Terminal } from "./sheet/ask.ts";

/** The process's terminal; undefined where nobody can answer: no terminal, or a build machine. */
export function terminalOf(): Terminal | undefined {
  const isAttended = process.stdin.isTTY && process.stdout.isTTY && process.env["CI"] === undefined;
  return isAttended ? TERMINAL : undefined;
}

const TERMINAL: Terminal = {
  async choose(question, choices) {
    const { isCancel, select } = await prompts();
    const options = choices.map(({ value, means }) => ({ value, label: `${value}: ${means}` }));
    const answer = await select({ message: question, options });
    return isCancel(answer) ? stopped() : answer;
  },
  async write(question, problemOf) {
    const { isCancel, text } = await prompts();
    const answer = await text({ message: question, validate: (written) => problemOf(written ?? "") });
    return isCancel(answer) ? stopped() : answer;
  },
};

/** Only when somebody is asked: no other command needs it. */
const prompts = () => import("@clack/prompts");

function stopped(): never {
  throw new Refusal(["stopped: nothing was written"], EXIT.unusable);
}
