import type { Deployment } from "./platform.ts";

/** What is known when a deployment has ended, however it did. */
export interface State {
  /** The Worker's name. */
  readonly name: string;
  /** The version that served before; null: there was none. */
  readonly before: string | null;
  /** The version of this deployment; null: none was uploaded. */
  readonly uploaded: string | null;
  readonly now: Deployment | "unknown";
  /**
   * The record of the published past: nothing was to be added, it is that of this version, it is as before, it could
   * not be made so, or the next deployment settles it.
   */
  readonly record: "unchanged" | "kept" | "restored" | "left" | "open";
}

/** The versions that answer requests: one may be deployed without, for a check. */
export function serving(deployment: Deployment) {
  return (deployment ?? []).filter(({ percentage }) => percentage > 0);
}

/** What is live, what is recorded and what to do next, in one paragraph. */
export function stateText(state: State): string {
  return [liveText(state), uploadText(state), RECORD[state.record], `Next: ${lookText(state)}${nextText(state)}`].join(
    " ",
  );
}

/** Whether this deployment's version answers requests, as far as that is known. */
export function isServing({ uploaded, now }: Pick<State, "uploaded" | "now">): boolean {
  return now !== "unknown" && serving(now).some(({ id }) => id === uploaded);
}

function liveText({ now, uploaded, before, name }: State): string {
  if (now === "unknown") return "What is live is not known.";
  const shares = serving(now).map(({ id, percentage }) => {
    const whose = id === uploaded ? "this deployment's" : id === before ? "as before" : "somebody else's";
    return `version ${id} (${whose}) at ${percentage} %`;
  });
  return shares.length === 0 ? `Nothing is live: ${name} has no deployment.` : `Live now: ${shares.join(", ")}.`;
}

function uploadText(state: State): string {
  if (state.uploaded === null)
    return state.now === "unknown" ? "Whether anything was uploaded is not known." : "Nothing was uploaded.";
  return isServing(state) || state.now === "unknown"
    ? `Uploaded: ${state.uploaded}.`
    : `Version ${state.uploaded} is uploaded and serves nobody.`;
}

const RECORD: Readonly<Record<State["record"], string>> = {
  unchanged: "Nothing new was recorded in schedule/published.*.",
  kept: "schedule/published.csv and published.json record what it serves: commit them.",
  restored: "schedule/published.csv and published.json are as before.",
  open: "The next deployment asks the platform, and makes schedule/published.csv and published.json the record of what serves.",
  left: "schedule/published.csv and published.json are not those of what serves: they cannot be written, or another command has changed them since.",
};

function lookText({ record }: State): string {
  return record === "left" ? "look at them with `git diff schedule`, " : "";
}

function nextText(state: State): string {
  const { name, before, now, record } = state;
  const unrecord = record === "kept" ? ", then `git checkout schedule/published.*`" : "";
  const goBack = `\`npx wrangler rollback ${before} --name ${name}\`${unrecord}, goes back`;
  if (now === "unknown")
    return `ask with \`npx wrangler deployments status --name ${name}\`, then run the same command again.`;
  if (!isServing(state))
    return serving(now).every(({ id }) => id === before)
      ? "remove the cause and run the same command again."
      : "find out who has deployed, then run the same command again.";
  if (before === null)
    return `there is no version before it to go back to: remove the cause and deploy again, or \`npx wrangler delete --name ${name}\` takes it down.`;
  return `remove the cause and deploy again; ${goBack}.`;
}
