import { describe, expect, test } from "vitest";
import { parseMoveAsset } from "../../../src/chain/asset.ts";

describe("an asset's name", () => {
  test.each([
    ["0x1::aptos_coin::AptosCoin", "coin", "0x1::aptos_coin::AptosCoin"],
    [
      "0x0000000000000000000000000000000000000000000000000000000000000001::a::B<u8,0x02::c::D>",
      "coin",
      "0x1::a::B<u8, 0x2::c::D>",
    ],
    ["0xA", "fungible_asset", "0xa"],
  ])("%s is parsed as %s %s", (text, kind, canonical) => {
    const asset = parseMoveAsset(text);
    expect([asset?.kind, asset?.text]).toEqual([kind, canonical]);
  });

  test.each(["", "0x", "APT", "0x1::coin", "0x1::a::B<", "0xg", "u8"])("%j is invalid", (text) => {
    expect(parseMoveAsset(text)).toBeUndefined();
  });
});
