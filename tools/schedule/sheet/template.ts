/** Tables whose titles need no mapping by hand, by the kind of their rows. Each adds up to a maximum of 1,000,000. */
export const TEMPLATES = {
  rules: [
    "Bucket,Category,Amount (tokens),Unlocked at start (tokens),Cliff (months),Vesting after the cliff (months),Every (months)",
    "Team,team,300000,0,12,36,1",
    "Community,community,700000,100000,0,24,3",
  ],
  periods: ["Month,Team,Community", "2026-01,0,100000", "2026-02,0,400000", "2026-03,300000,700000"],
  unlocks: [
    "Date,Bucket,Amount (tokens)",
    "2026-01-01,Community,100000",
    "2026-02-01,Community,600000",
    "2026-02-01,Team,300000",
  ],
} as const;
