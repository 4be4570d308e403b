/** The kind of an endpoint's response; a number is of whole tokens. */
export type AnswerKind = "number" | "percent" | "json" | "csv";

export const LANGUAGES = ["curl", "JavaScript", "Python", "Sheets", "Excel"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Code that reads a URL, to be pasted unchanged. */
export function snippet(language: Language, url: string, kind: AnswerKind): string {
  switch (language) {
    case "curl":
      return kind === "csv" ? `curl -sSf -o schedule.csv "${url}"` : `curl -sSf "${url}"`;
    case "JavaScript":
      return javascript(url, kind);
    case "Python":
      return `import requests\n\nr = requests.get("${url}", timeout=10)\nr.raise_for_status()\n${PYTHON_VALUES[kind]}`;
    case "Sheets":
      return kind === "json" ? NO_JSON : `=IMPORTDATA("${url}")`;
    case "Excel":
      return kind === "json"
        ? NO_JSON
        : kind === "csv"
          ? `Data > From Web: ${url}`
          : `=NUMBERVALUE(WEBSERVICE("${url}"))`;
  }
}

const NO_JSON = "Spreadsheets read single figures and CSV files: choose one of these above.";

const PYTHON_VALUES = {
  number: "tokens = int(r.text)",
  percent: "percent = float(r.text)",
  json: "data = r.json()",
  csv: 'rows = [line.split(",") for line in r.text.splitlines()]',
} as const;

const JAVASCRIPT_VALUES = {
  number: ["tokens", "BigInt(await r.text())"],
  percent: ["percent", "Number(await r.text())"],
  json: ["data", "await r.json()"],
  csv: ["csv", "await r.text()"],
} as const;

function javascript(url: string, kind: AnswerKind): string {
  const [name, read] = JAVASCRIPT_VALUES[kind];
  return `const r = await fetch("${url}");\nif (!r.ok) throw new Error(\`HTTP \${r.status}\`);\nconst ${name} = ${read};`;
}
