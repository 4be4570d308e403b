import { instantText } from "../base/utc.ts";
import { JSON_TYPE } from "../chain/media-types.ts";
import type { Handler, Outcome, RequestContext } from "../http/handler.ts";
import { publicFor, type Reply, tagged } from "../http/reply.ts";
import { readingForBreakdown } from "../onchain/breakdown-handlers.ts";
import { ledgerVersionHeader } from "../onchain/figure-handlers.ts";
import type { Reading } from "../onchain/reading.ts";
import type { Schedule } from "../supply/schedule.ts";
import type { CachedCopy } from "../swr/cached-copy.ts";
import type { CachedValue } from "../swr/cached-value.ts";

/** How one reading of the chain is read: by a copy, or as it was just read. */
export type Readings = Pick<CachedCopy<Reading>, "read">;

export interface PagePorts {
  readonly schedule: Schedule;
  /** null: no chain is read. */
  readonly readings: Readings | null;
  /** The handlers of the paths whose bodies are members, over one reading; a member that is absent is null. */
  readonly membersOver: (readings: Readings | null) => Readonly<Partial<Record<Member, Handler>>>;
}

const MEMBERS = ["supply", "supply_breakdown", "rates"] as const;
type Member = (typeof MEMBERS)[number];

/** The document waits no longer than this for the chain: its other members come from elsewhere. */
const CHAIN = { withinMs: 4_000 };

/**
 * `/api/page`: what the page and the embeds show. Each member is the body of a path at the same instant, so the figures
 * are equal. Written once a second and reading in an isolate: steps and ages are in whole seconds.
 */
export function pageHandler({ schedule, readings, membersOver }: PagePorts): Handler {
  let written: { readonly of: string; readonly reply: Reply } | undefined;
  return async (context) => {
    const newest = await readings?.read(context, CHAIN);
    const of = `${Math.floor(context.nowMs / 1_000)} ${newest?.kind === "cached" ? newest.observedAtMs : ""}`;
    if (written?.of === of) return written.reply;
    const handlers = membersOver(newest === undefined ? null : { read: async () => newest });
    const answers = await Promise.all(
      MEMBERS.map(async (name) => [name, await answerOf(handlers[name], context)] as const),
    );
    const reading = newest?.kind === "cached" ? readingForBreakdown(schedule, newest) : null;
    const reply = replyOf(new Map(answers), reading);
    written = { of, reply };
    return reply;
  };
}

/** The answer to a plain request. Its parameters are of this path. */
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
    // An error is cached nowhere, and a member that is missing may be there a second later.
    "Cache-Control": Object.keys(unavailable).length > 0 ? "no-store" : publicFor(secondsOf(replies)),
    ...(age !== undefined && { Age: String(age) }),
    ...(reading && ledgerVersionHeader(reading.value)),
  });
}

/** How long a copy of each of them may be kept. */
function secondsOf(replies: readonly Reply[]): number {
  return Math.min(
    ...replies.map(({ headers }) => Number(/max-age=(\d+)/.exec(headers["Cache-Control"] ?? "")?.[1] ?? 0)),
  );
}
