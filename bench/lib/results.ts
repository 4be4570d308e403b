import { existsSync, readFileSync, writeFileSync } from "node:fs";

const HEAD = `# Benchmark results

Written by \`npm run bench\`: production bundles under plain \`workerd serve\`. Each section is measured by itself (\`npm run bench -- --only gateway\`) and kept until it is measured again. Ratios are of one run; figures of different sections do not compare.`;

interface Section {
  readonly name: string;
  readonly title: string;
  /** Resolves to Markdown that begins with the title. */
  readonly run: () => Promise<string>;
}

interface ResultsFile {
  /** File to write; null: none. */
  readonly file: string | null;
  /** Titles in the file's order; other titles follow. */
  readonly order: readonly string[];
  readonly log: (line: string) => void;
}

/**
 * Runs the sections in order and writes each into the file as soon as it is finished, so that a failure loses no other
 * section. Other sections of the file are kept. Returns the names of those that failed.
 */
export async function runSections(sections: readonly Section[], { file, order, log }: ResultsFile): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, title, run } of sections) {
    try {
      const text = await run();
      log(text);
      if (file !== null) write(file, title, text, order);
    } catch (cause) {
      failed.push(name);
      log(`${name}: ${cause instanceof Error ? cause.stack : cause}`);
    }
  }
  return failed;
}

function write(file: string, title: string, text: string, order: readonly string[]): void {
  const earlier = existsSync(file) ? readFileSync(file, "utf8") : "";
  const found = earlier.split(/^(?=## )/m).slice(1);
  const parts = new Map(found.map((part) => [part.slice(0, part.indexOf("\n")), part.trim()]));
  parts.set(title, text);
  const titles = [
    ...order.filter((each) => parts.has(each)),
    ...[...parts.keys()].filter((each) => !order.includes(each)),
  ];
  writeFileSync(file, `${[HEAD, ...titles.map((each) => parts.get(each))].join("\n\n")}\n`);
}
