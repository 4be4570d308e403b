import { describe, expect, test } from "vitest";
import { walletsOf } from "../../../../src/supply/wallets.ts";
import { bucket, errorsOf, file, valid, wallet, walletFile } from "../../supply/schedules.ts";

const LOCK = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const CONTRACT = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const lock = (changes: object = {}) => wallet(LOCK, { category: "team", holds: "lock", view: "locked()", ...changes });
const listing = (...wallets: readonly object[]) => walletFile({ wallets });
const asked = { view: "getRestAmount(address)", contract: CONTRACT };

describe("a lock in a schedule file", () => {
  test("keeps its view, and the contract where the view is about the address", () => {
    const inBucket = bucket({ addresses: [wallet(CONTRACT, { holds: "lock", view: "lockedSupply()" })] });
    const read = walletsOf(
      valid(
        file({
          buckets: [inBucket],
          wallets: [
            lock(),
            wallet(CONTRACT.replace("f", "e").toLowerCase(), { category: "team", holds: "lock", ...asked }),
          ],
        }),
        "evm",
      ),
    );
    expect(read.map((each) => each.holds === "lock" && [each.view, each.contract])).toEqual([
      ["lockedSupply()", null],
      ["locked()", null],
      ["getRestAmount(address)", CONTRACT.toLowerCase()],
    ]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["without a view", listing(lock({ view: undefined })), "wallets[0].view: missing"],
    [
      "with a figure's view",
      listing(lock({ view: "circulating_supply()" })),
      "wallets[0].view: must be one of locked(), lockedSupply(), supply()",
    ],
    ["with a view that is no text", listing(lock({ view: 5 })), "wallets[0].view: must be one of locked()"],
    [
      "by a view about the address, without the contract",
      listing(lock({ ...asked, contract: undefined })),
      "wallets[0].contract: missing: getRestAmount(address) is about an address; name the contract that is asked",
    ],
    [
      "by its own view, with a contract",
      listing(lock({ contract: CONTRACT })),
      "wallets[0].contract: must not be given: locked() is asked of the address itself",
    ],
    [
      "with a contract that is no address",
      listing(lock({ ...asked, contract: "0xdead" })),
      "wallets[0].contract: must be an address of exactly 40 hex digits",
    ],
    [
      "with a contract that fails its checksum",
      listing(lock({ ...asked, contract: CONTRACT.replace("fB", "FB") })),
      "wallets[0].contract: 0xFB6916095ca1df60bB79Ce92cE3Ea74c37c5d359 fails its checksum (EIP-55)",
    ],
    [
      "of an address that is an account too",
      listing(lock(), wallet(LOCK.toLowerCase(), { category: "team" })),
      "wallets[0].address: 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed is also wallets[1]: a lock's tokens are a part",
    ],
    [
      "twice",
      listing(lock(), lock({ label: "Again" })),
      "wallets[1].address: 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed is also wallets[0] with the same kind",
    ],
    [
      "with a pool",
      listing(lock({ pool: CONTRACT })),
      "wallets[0].pool: must not be given: only a delegation has a pool",
    ],
    [
      "that is an account with a view",
      listing(wallet(LOCK, { category: "team", view: "locked()" })),
      "wallets[0].view: must not be given: only a lock has a view",
    ],
    [
      "that is an account with a contract",
      listing(wallet(LOCK, { category: "team", contract: CONTRACT })),
      "wallets[0].contract: must not be given: only a lock has a contract",
    ],
  ])("is refused %s", (_case, json, error) => {
    const errors = errorsOf(json, "evm");
    expect(errors).toEqual([expect.stringContaining(error)]);
  });

  test("is refused by two views of one address, at both places", () => {
    const both = listing(lock(), lock({ view: "totalLocked()" }));
    expect(errorsOf(both, "evm").map((each) => each.split(":")[0])).toEqual([
      "wallets[0].address",
      "wallets[1].address",
    ]);
  });

  test("is refused on a Move chain", () => {
    expect(errorsOf(listing(lock()))).toEqual([
      expect.stringContaining("wallets[0].holds: must be account or stake_pool"),
    ]);
  });

  test("of one address on two chains is two locks", () => {
    const chains = [
      { id: "native", family: "evm", chain_id: 1, asset: CONTRACT },
      { id: "base", family: "evm", chain_id: 8453, asset: CONTRACT, supply: "issued" },
    ];
    expect(errorsOf(walletFile({ chains, wallets: [lock(), lock({ chain: "base" })] }))).toEqual([]);
  });
});
