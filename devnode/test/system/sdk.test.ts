import { startNode } from "../../../test/support/devnode.ts";
import { sdkScenario } from "../../../test/support/sdk-scenario.ts";

sdkScenario(startNode);
