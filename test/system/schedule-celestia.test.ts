import { describe } from "vitest";
import { testSchedule } from "../support/operator-schedule.ts";

describe("installments by days (celestia)", () => testSchedule("celestia"));
