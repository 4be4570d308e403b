import { FRAMEWORK } from "./addresses.ts";
import type { ModuleDefinition } from "./define.ts";
import { eventHandle, guid, guidId } from "./event.ts";

export const guidModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "guid",
  friends: ["0x1::account", "0x1::object"],
  structs: [guid, guidId],
  functions: [],
};

export const eventModule: ModuleDefinition = {
  address: FRAMEWORK,
  name: "event",
  friends: [],
  structs: [eventHandle],
  functions: [],
};
