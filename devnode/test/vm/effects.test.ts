import { expect, test } from "vitest";
import { ALICE } from "../../development-keys.ts";
import { fixedAddress } from "../../framework/addresses.ts";
import { isModuleEvent } from "../../vm/effects.ts";

test.each([
  [fixedAddress("0x0"), 0n, true],
  [fixedAddress("0x0"), 1n, false],
  [ALICE.address, 0n, false],
])("an event of stream %s %d is one of a module: %s", (address, creationNumber, isModule) => {
  const event = { sequenceNumber: 0n, type: "0x1::a::A", data: new Uint8Array() };
  expect(isModuleEvent({ ...event, guid: { address, creationNumber } })).toBe(isModule);
});
