import { EXIT, Refusal } from "./lib/command-line.ts";
import { addressOf, readWranglerFile } from "./wrangler-file.ts";

/** Origin of a deployment: the given one, otherwise production's custom domain in wrangler.toml. */
export function deploymentUrl(given: string | undefined): string {
  if (given !== undefined) {
    if (/^https?:\/\//.test(given) && URL.canParse(given)) return new URL(given).origin;
    throw new Refusal(["--url: must be the https address of the deployment"], EXIT.unusable);
  }
  const url = addressOf({ ...readWranglerFile().env?.["production"] }, []);
  if (url === null)
    throw new Refusal(["--url: missing; wrangler.toml has no custom domain under [env.production]"], EXIT.unusable);
  return url;
}
