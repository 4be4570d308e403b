import { readRates } from "./api.ts";
import { poll } from "./polling.ts";
import { showRates } from "./rates.ts";

/** The yield cards alone, for a frame on another page. */
poll(readRates, (answer) => showRates(answer, Date.now()));
