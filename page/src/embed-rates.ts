import { parseRates } from "./documents.ts";
import { poll } from "./polling.ts";
import { showRates } from "./rates.ts";

/** The yields alone, for a frame on another page. */
poll("/api/rates", parseRates, (reading) => showRates(reading, Date.now()));
