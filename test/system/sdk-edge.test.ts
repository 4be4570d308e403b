import { startBehindEdge } from "../support/behind-edge.ts";
import { sdkScenario } from "../support/sdk-scenario.ts";

/** The same calls and expectations as for the node: the edge must be transparent. */
sdkScenario(startBehindEdge);
