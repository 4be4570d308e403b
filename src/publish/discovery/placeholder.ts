/** Placeholder for the deployment's origin, which the build does not know. */
export const HOST = "https://HOST";
