import type { Terminal } from "./sheet/ask.ts";

/** Terminal of the process; undefined where nobody can answer: without a terminal, or on a build machine. */
export function terminalOf(): Terminal | undefined {
  const isAttended = process.stdin.isTTY && process.stdout.isTTY && process.env["CI"] === undefined;
  return isAttended ? TERMINAL : undefined;
}

const TERMINAL: Terminal = {
  async choose(question, choices) {
    const { isCancel, select } = await prompts();
    const options = choices.map(({ value, means }) => ({ value, label: `${value}: ${means}` }));
    const answer = await select({ message: question, options });
    return isCancel(answer) ? undefined : answer;
  },
  async write(question, problemOf) {
    const { isCancel, text } = await prompts();
    const answer = await text({ message: question, validate: (written) => problemOf(written ?? "") });
    return isCancel(answer) ? undefined : answer;
  },
};

/** Loads the prompts only when a question is asked: no other command needs them. */
const prompts = () => import("@clack/prompts");
