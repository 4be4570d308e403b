/** What `npm run dev` was given: our settings, and the options that wrangler reads. */
export interface DevOptions {
  readonly vars: Readonly<Record<string, string>>;
  readonly others: readonly string[];
}

export type DevArguments =
  | { readonly kind: "options"; readonly options: DevOptions }
  | { readonly kind: "help" }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** Takes `--var NAME:VALUE` out of the command line; the rest is wrangler's. */
export function parseArguments(words: readonly string[]): DevArguments {
  if (words.includes("--help") || words.includes("-h")) return { kind: "help" };
  const problems: string[] = [];
  const vars: Record<string, string> = {};
  const others: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word !== "--var" && !word.startsWith("--var=")) {
      others.push(word);
      continue;
    }
    if (word === "--var") index += 1;
    const pair = word === "--var" ? (words[index] ?? "") : word.slice("--var=".length);
    const [, name, value] = /^([^:]+):(.*)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined) problems.push(`--var takes NAME:VALUE, not ${JSON.stringify(pair)}`);
    else vars[name] = value;
  }
  return problems.length > 0 ? { kind: "problems", problems } : { kind: "options", options: { vars, others } };
}
