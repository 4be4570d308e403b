import { startNode } from "../support/devnode.ts";
import { sdkScenario } from "../support/sdk-scenario.ts";

sdkScenario(startNode);
