import { byId } from "../elements.ts";

/*
 * Script of the first page of wallets alone, which has no figure that follows from its build. It reads the list that
 * the build wrote into the HTML.
 */

/** Revision of the wallet list that this page was built from. */
export const { revision } = JSON.parse(byId("schedule-data").textContent ?? "") as { readonly revision: number }; // written by `scheduleText`

document.documentElement.classList.add("ready");
