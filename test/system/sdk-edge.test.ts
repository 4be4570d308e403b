import { startBehindEdge } from "../support/behind-edge.ts";
import { sdkScenario } from "../support/sdk-scenario.ts";

/** The same calls, the same expectations: the edge in between must not be noticed. */
sdkScenario(startBehindEdge);
