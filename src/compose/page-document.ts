import { instantText } from "../base/utc.ts";
import { JSON_TYPE } from "../chain/media-types.ts";
import type { Handler, Outcome, RequestContext } from "../http/handler.ts";
import { publicFor, type Reply, tagged } from "../http/reply.ts";
import { newestWithAllSums } from "../onchain/breakdown-handlers.ts";
import { ledgerVersionHeader } from "../onchain/figure-handlers.ts";
import type { Reading } from "../onchain/reading.ts";
import type { Schedule } from "../supply/schedule.ts";
import type { CachedCopy } from "../swr/cached-copy.ts";
import type { CachedValue } from "../swr/cached-value.ts";

/** Source of a reading: a copy, or a reading that was read just now. */
export type ReadingSource = Pick<CachedCopy<Reading>, "read">;

export interface PagePorts {
  readonly schedule: Schedule;
  /** Source of the native token's reading; null: no chain is read. */
  readonly readings: ReadingSource | null;
  /** Makes the handlers of the paths whose bodies are members, over one reading. A member without a handler is null. */
  readonly membersOver: (readings: ReadingSource | null) => Readonly<Partial<Record<Member, Handler>>>;
}

const MEMBERS = ["supply", "supply_breakdown", "rates"] as const;
type Member = (typeof MEMBERS)[number];

/** How long the document waits for the chain; its other members come from elsewhere. */
const CHAIN = { withinMs: 4_000 };

/**
 * Handles `/api/page`, the data of the page and the embeds. Each member is the body of a path at the same instant, so
 * the figures are equal. An isolate writes the document once a second for each reading, because steps and ages are in
 * whole seconds.
 */
export function pageDataHandler({ schedule, readings, membersOver }: PagePorts): Handler {
  let last: { readonly key: string; readonly reply: Reply } | undefined;
  return async (context) => {
    const newest = await readings?.read(context, CHAIN);
    const key = `${Math.floor(context.nowMs / 1_000)} ${newest?.kind === "cached" ? newest.observedAtMs : ""}`;
    if (last?.key === key) return last.reply;
    const handlers = membersOver(newest === undefined ? null : { read: async () => newest });
    const answers = await Promise.all(
      MEMBERS.map(async (name) => [name, await answerOf(handlers[name], context)] as const),
    );
    const reading = newest?.kind === "cached" ? newestWithAllSums(schedule, newest) : null;
    const reply = replyOf(new Map(answers), reading);
    last = { key, reply };
    return reply;
  };
}

/** Answers a member's path without parameters: those of the request belong to `/api/page`. */
async function answerOf(handler: Handler | undefined, context: RequestContext): Promise<Outcome | undefined> {
  return handler?.({ ...context, query: "" });
}

function replyOf(answers: ReadonlyMap<Member, Outcome | undefined>, reading: CachedValue<Reading> | null): Reply {
  const bodies = MEMBERS.map((name) => {
    const answer = answers.get(name);
    return `"${name}":${answer?.kind === "reply" ? String(answer.body) : "null"}`;
  });
  const unavailable = Object.fromEntries(
    [...answers].flatMap(([name, answer]) =>
      answer?.kind === "unavailable"
        ? [[name, { message: answer.message, retry_after: answer.retryAfterSeconds }] as const]
        : [],
    ),
  );
  const asOf = reading && instantText(reading.observedAtMs);
  const body = `{"as_of":${JSON.stringify(asOf)},${bodies.join()},"unavailable":${JSON.stringify(unavailable)}}`;
  const replies = [...answers.values()].flatMap((answer) => (answer?.kind === "reply" ? [answer] : []));
  const age = reading?.ageSeconds ?? replies.find(({ headers }) => headers["Age"] !== undefined)?.headers["Age"];
  return tagged("page", body, JSON_TYPE, {
    // A document with an error is not cached, because a missing member may be there a second later.
    "Cache-Control": Object.keys(unavailable).length > 0 ? "no-store" : publicFor(sharedMaxAge(replies)),
    ...(age !== undefined && { Age: String(age) }),
    ...(reading && ledgerVersionHeader(reading.value)),
  });
}

/** Returns the smallest `max-age` of the replies. */
function sharedMaxAge(replies: readonly Reply[]): number {
  return Math.min(
    ...replies.map(({ headers }) => Number(/max-age=(\d+)/.exec(headers["Cache-Control"] ?? "")?.[1] ?? 0)),
  );
}
