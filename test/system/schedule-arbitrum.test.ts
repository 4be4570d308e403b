import { describe } from "vitest";
import { testSchedule } from "../support/operator-schedule.ts";

describe("a cliff and a linear phase (arbitrum)", () => testSchedule("arbitrum"));
