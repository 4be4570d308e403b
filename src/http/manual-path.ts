/** Path of the manual: its first page, and the prefix of the others. */
export const MANUAL_PATH = "/docs";
