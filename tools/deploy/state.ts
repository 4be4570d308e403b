import type { Deployment } from "./platform.ts";

/** State at the end of a deployment, however it ended. */
export interface FinalState {
  /** Name of the Worker. */
  readonly name: string;
  /** Version that served before; null: there was none. */
  readonly before: string | null;
  /** Version of this deployment; null: none was uploaded. */
  readonly uploaded: string | null;
  readonly now: Deployment | "unknown";
  /**
   * Record of the published past. `unchanged`: nothing was to be added; `kept`: it records this version; `restored`: it
   * is as before. `left`: it could not be written; `open`: the next deployment settles it.
   */
  readonly record: "unchanged" | "kept" | "restored" | "left" | "open";
}

/** Versions that answer requests; a version may be deployed at 0 % for a check. */
export function serving(deployment: Deployment) {
  return (deployment ?? []).filter(({ percentage }) => percentage > 0);
}

/** Describes what is live, what is recorded and what to do next, in one paragraph. */
export function finalStateText(state: FinalState): string {
  return [liveText(state), uploadText(state), RECORD[state.record], `Next: ${lookText(state)}${nextText(state)}`].join(
    " ",
  );
}

/** Whether this deployment's version answers requests, as far as that is known. */
export function isServing({ uploaded, now }: Pick<FinalState, "uploaded" | "now">): boolean {
  return now !== "unknown" && serving(now).some(({ id }) => id === uploaded);
}

function liveText({ now, uploaded, before, name }: FinalState): string {
  if (now === "unknown") return "What is live is not known.";
  const shares = serving(now).map(({ id, percentage }) => {
    const whose = id === uploaded ? "this deployment's" : id === before ? "as before" : "somebody else's";
    return `version ${id} (${whose}) at ${percentage} %`;
  });
  return shares.length === 0 ? `Nothing is live: ${name} has no deployment.` : `Live now: ${shares.join(", ")}.`;
}

function uploadText(state: FinalState): string {
  if (state.uploaded === null)
    return state.now === "unknown" ? "Whether anything was uploaded is not known." : "Nothing was uploaded.";
  return isServing(state) || state.now === "unknown"
    ? `Uploaded: ${state.uploaded}.`
    : `Version ${state.uploaded} is uploaded and serves nobody.`;
}

const RECORD: Readonly<Record<FinalState["record"], string>> = {
  unchanged: "Nothing new was recorded in schedule/published.*.",
  kept: "schedule/published.csv and published.json record what it serves: commit them.",
  restored: "schedule/published.csv and published.json are as before.",
  open: "The next deployment asks the platform which version serves, and then corrects schedule/published.csv and published.json.",
  left: "schedule/published.csv and published.json do not record what serves: they cannot be written, or another command has changed them.",
};

function lookText({ record }: FinalState): string {
  return record === "left" ? "look at them with `git diff schedule`, " : "";
}

function nextText(state: FinalState): string {
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
