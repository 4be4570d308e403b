import type { components } from "../../openapi/public.generated.ts";

type Schemas = components["schemas"];
export type Supply = Schemas["Supply"];
export type UnlockSchedule = Schemas["UnlockSchedule"];
export type Rates = Schemas["Rates"];
export type YieldProduct = Schemas["YieldProduct"];
export type SupplyBreakdown = Schemas["SupplyBreakdown"];
export type Wallet = Schemas["NonCirculatingWallet"];
export type History = Schemas["History"];
export type RateHistory = Schemas["RateHistory"];
export type Health = Schemas["Health"];

/** A response with its age, or the reason of a failure and the time until a retry. */
export type Answer<T> =
  | { readonly kind: "value"; readonly value: T; readonly ageSeconds: number }
  | {
      readonly kind: "failure";
      readonly message: string;
      readonly retrySeconds: number;
      /** The schedule's revision, if the failure has it: before the start there is no other figure. */
      readonly scheduleRevision?: number | undefined;
    };

const RETRY_SECONDS = 30;

export const readSupply = (): Promise<Answer<Supply>> => read("/api/supply");
export const readSchedule = (): Promise<Answer<UnlockSchedule>> => read("/api/unlock-schedule");
export const readRates = (): Promise<Answer<Rates>> => read("/api/rates");
export const readBreakdown = (): Promise<Answer<SupplyBreakdown>> => read("/api/supply-breakdown");
/** A year of observed figures, one row per day and figure. */
export const readHistory = (): Promise<Answer<History>> => read("/api/history");
export const readRateHistory = (id: string): Promise<Answer<RateHistory>> =>
  read(`/api/rates/${encodeURIComponent(id)}/history`);

/** One GET of the API's JSON. The API document is the contract: its types are trusted, its status decides. */
async function read<T>(path: string): Promise<Answer<T>> {
  try {
    const response = await fetch(path);
    const ageSeconds = Number(response.headers.get("Age") ?? 0);
    if (response.ok) return { kind: "value", value: (await response.json()) as T, ageSeconds };
    return failureOf(response);
  } catch {
    return { kind: "failure", message: "This service cannot be reached.", retrySeconds: RETRY_SECONDS };
  }
}

async function failureOf(response: Response): Promise<Answer<never>> {
  const { message, schedule_revision: scheduleRevision } = (await response.json()) as Schemas["SupplyUnavailable"];
  const retry = Number(response.headers.get("Retry-After"));
  return { kind: "failure", message, retrySeconds: retry > 0 ? retry : RETRY_SECONDS, scheduleRevision };
}

/** Which figures this deployment serves, from its health report; undefined when that is not available. */
export async function readFigureNames(): Promise<readonly string[] | undefined> {
  try {
    const response = await fetch("/api/health");
    // A failing deployment answers 503 with the same report.
    if (response.status !== 200 && response.status !== 503) return undefined;
    const { figures } = (await response.json()) as Health;
    return figures.map(({ name }) => name);
  } catch {
    return undefined;
  }
}
