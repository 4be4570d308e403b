/** How long a chain figure is served from its last accepted reading while no newer one is accepted. */
export const LAST_GOOD_SECONDS = 3_600;
