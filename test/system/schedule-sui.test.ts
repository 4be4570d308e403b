import { describe } from "vitest";
import { testSchedule } from "../support/operator-schedule.ts";

describe("a table of figures (sui)", () => testSchedule("sui"));
