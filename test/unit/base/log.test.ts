import { expect, test } from "vitest";
import { EVENT_LEVELS, type LogEvent, logTo } from "../../../src/base/log.ts";

function written(event: LogEvent): string[] {
  const lines: string[] = [];
  const to = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
  logTo({ log: to("log"), warn: to("warn"), error: to("error") })(event, { requestId: "id-1" });
  return lines;
}

test.each(Object.entries(EVENT_LEVELS) as [LogEvent, string][])(
  "%s is one JSON object at the level %s, event first",
  (event, level) => {
    expect(written(event)).toEqual([`${level} {"event":"${event}","requestId":"id-1"}`]);
  },
);
