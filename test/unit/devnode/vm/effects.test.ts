import { expect, test } from "vitest";
import { ALICE } from "../../../../devnode/development-keys.ts";
import { fixedAddress } from "../../../../devnode/framework/addresses.ts";
import { isModuleEvent, printVmStatus, type VmStatus, vmStatusDetail } from "../../../../devnode/vm/effects.ts";
import { GAS_SCHEDULE } from "../../../../devnode/vm/gas-schedule.ts";

const failure = { kind: "execution_failure", function: "0x1::coin", codeOffset: 0, code: 4008 } as const;
const DETAIL = "Execution failed with message: ";

test.each<[VmStatus, string, string | undefined]>([
  [{ kind: "executed" }, "Executed successfully", undefined],
  [{ kind: "out_of_gas" }, "Out of gas", undefined],
  [{ ...failure, message: "no balance" }, "Execution failed in 0x1::coin at code offset 0", `${DETAIL}no balance`],
  [{ kind: "named", name: "LINKER_ERROR", message: null }, "LINKER_ERROR", undefined],
  [{ kind: "named", name: "LINKER_ERROR", message: "no module" }, "LINKER_ERROR", `${DETAIL}no module`],
])("%o is %s, in detail %s", (status, text, detail) => {
  expect([printVmStatus(status), vmStatusDetail(status)]).toEqual([text, detail]);
});

test.each([
  [fixedAddress("0x0"), 0n, true],
  [fixedAddress("0x0"), 1n, false],
  [ALICE.address, 0n, false],
])("an event of stream %s %d is one of a module: %s", (address, creationNumber, isModule) => {
  const event = { sequenceNumber: 0n, type: "0x1::a::A", data: new Uint8Array() };
  expect(isModuleEvent({ ...event, guid: { address, creationNumber } })).toBe(isModule);
});

test("the bounds of a transaction and of a view are those of the public networks", () => {
  expect(GAS_SCHEDULE).toMatchObject({
    ...{ minimumPrice: 100n, maximumPrice: 10_000_000_000n, maximumTransactionBytes: 65_536 },
    ...{ maximumUnits: 2_000_000n, maximumViewUnits: 2_000_000n },
  });
});
