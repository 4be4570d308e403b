import { DurableObject } from "cloudflare:workers";

/** Holds the logs of many callers. */
export class Limiter extends DurableObject {}
