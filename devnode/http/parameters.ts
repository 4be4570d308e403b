import { badPathMessage, badQueryMessage, decodeSegment, type Parameter } from "../../src/chain/parameters.ts";
import { type NodeError, refuseRequest } from "./node-error.ts";

/** A path segment, percent-decoded and parsed, or the error that names it. */
export function readSegment<T>(name: string, segment: string, parameter: Parameter<T>): T | NodeError {
  const parsed = parameter.parse(decodeSegment(segment));
  return parsed.ok ? parsed.value : refuseRequest(400, badPathMessage(name, parameter.type, parsed.why));
}

/** A query parameter: undefined when absent; the first one counts when it is repeated. */
export function readQuery<T>(name: string, query: URLSearchParams, parameter: Parameter<T>): T | undefined | NodeError {
  const given = query.get(name);
  if (given === null) return undefined;
  const parsed = parameter.parse(given);
  return parsed.ok ? parsed.value : refuseRequest(400, badQueryMessage(name, parameter.type, parsed.why));
}
