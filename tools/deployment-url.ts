import { join } from "node:path";
import { EXIT, Refusal } from "./command-line.ts";
import { addressOf } from "./deploy/address.ts";

/** The origin of a deployment: the given one, else production's custom domain in wrangler.toml. */
export async function deploymentUrl(given: string | undefined): Promise<string> {
  if (given !== undefined) {
    if (/^https?:\/\//.test(given) && URL.canParse(given)) return new URL(given).origin;
    throw new Refusal(["--url: must be the https address of the deployment"], EXIT.unusable);
  }
  const { experimental_readRawConfig: readRawConfig } = await import("wrangler");
  const { rawConfig } = readRawConfig({ config: join(import.meta.dirname, "..", "wrangler.toml") });
  const url = addressOf({ ...rawConfig.env?.["production"] }, []);
  if (url === null)
    throw new Refusal(["--url: missing; wrangler.toml has no custom domain under [env.production]"], EXIT.unusable);
  return url;
}
