import type { components } from "../../openapi/public.generated.ts";

type Schemas = components["schemas"];
export type Supply = Schemas["Supply"];
export type UnlockSchedule = Schemas["UnlockSchedule"];
export type Rates = Schemas["Rates"];
export type YieldProduct = Schemas["YieldProduct"];

/** An answer with its age, or why there is none and when to ask again. */
export type Answer<T> =
  | { readonly kind: "value"; readonly value: T; readonly ageSeconds: number }
  | { readonly kind: "failure"; readonly message: string; readonly retrySeconds: number };

const RETRY_SECONDS = 30;

export const readSupply = (): Promise<Answer<Supply>> => read("/api/supply", (response) => response.json());
export const readSchedule = (): Promise<Answer<UnlockSchedule>> =>
  read("/api/unlock-schedule", (response) => response.json());
export const readRates = (): Promise<Answer<Rates>> => read("/api/rates", (response) => response.json());
export const readText = (path: string): Promise<Answer<string>> => read(path, (response) => response.text());

async function read<T>(path: string, bodyOf: (response: Response) => Promise<T>): Promise<Answer<T>> {
  try {
    const response = await fetch(path);
    if (response.ok) {
      return { kind: "value", value: await bodyOf(response), ageSeconds: Number(response.headers.get("Age") ?? 0) };
    }
    const { message } = (await response.json()) as Schemas["Error"];
    return { kind: "failure", message, retrySeconds: Number(response.headers.get("Retry-After") ?? RETRY_SECONDS) };
  } catch {
    return { kind: "failure", message: "This service cannot be reached.", retrySeconds: RETRY_SECONDS };
  }
}
