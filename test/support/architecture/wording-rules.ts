import { longSentencesOf } from "./sentences.ts";
import { beginsWithoutNoun, type Wording } from "./wording.ts";

const LINK = /\{@link [^}]*\}/g;
/** Share of a folder's comments that may begin with a pronoun. */
const MAX_SHARE = 0.01;

/** Names that only this project knew. The glossary of docs/architecture.md and of CONTRIBUTING.md has their successors. */
const RETIRED = new Set(
  [
    "Leg Legs leg legs LegState LegSettings LegPorts LegsPorts LegAt ReadLeg LegsReader joinLegs HAS_LEGS HAS_EVM",
    "SaidWords Said said saidBy countOf brokenLaw withWhole finer leastOf notZero Kept KEPT keptAs mayKnow Tried",
    "Wanted Offer SettingsOffer Has absentPaths whyAbsent Admitted isDoubtful MissingKind RollOut runWalledIn",
    "outsideValue fed told own gone fell does",
  ].flatMap((line) => line.split(" ")),
);

/** Violations of the rules for comments and names, counted for one folder. */
export interface WordingViolations {
  /** Comments that begin with a pronoun, if they are more than one in a hundred. */
  readonly openings: number;
  readonly longSentences: number;
  readonly retiredNames: number;
}

/** Violations of folders that have any. */
export function wordingViolations(
  files: readonly (Wording & { readonly path: string })[],
): Readonly<Record<string, WordingViolations>> {
  const folders = Object.entries(Object.groupBy(files, ({ path }) => folderOf(path)));
  const counts = folders.map(([folder, members = []]) => [folder, violationsOf(members)] as const);
  return Object.fromEntries(counts.filter(([, one]) => Object.values(one).some((count) => count > 0)));
}

/** Two folders deep; a file in `src` itself is in `src`. */
function folderOf(path: string): string {
  return path.split("/").slice(0, -1).slice(0, 2).join("/");
}

function violationsOf(files: readonly Wording[]): WordingViolations {
  const comments = files.flatMap((file) => file.comments);
  const openings = comments.filter(beginsWithoutNoun).length;
  const names = files.flatMap(({ identifiers }) => [...identifiers].filter(([name]) => RETIRED.has(name)));
  return {
    openings: openings <= comments.length * MAX_SHARE ? 0 : openings,
    longSentences: comments.flatMap((comment) => longSentencesOf(comment.replace(LINK, "Code"))).length,
    retiredNames: names.reduce((sum, [, count]) => sum + count, 0),
  };
}
