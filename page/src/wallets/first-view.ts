import { byId } from "../elements.ts";

/*
 * The first page of wallets alone has no figure that follows from its build. Its first script reads the list that the
 * build wrote into the HTML.
 */

/** Revision of the wallet list that this page was built from. */
export const { revision } = JSON.parse(byId("schedule-data").textContent ?? "") as { readonly revision: number }; // written by `scheduleText`

document.documentElement.classList.add("ready");
