import type { GetRoute, Handler, RequestContext } from "../../http/handler.ts";
import { tagged } from "../../http/reply.ts";
import { originOf } from "../../http/split-url.ts";
import { atomFeed, type FeedEntry, nameUri } from "./atom.ts";

export interface FeedPorts {
  /** Name of the feed's subject, the same at every address of the deployment and in every revision. */
  readonly name: string;
  readonly title: string;
  readonly entries: (context: RequestContext) => Promise<readonly FeedEntry[]>;
  /** `max-age` in seconds, which ends before the next step. */
  readonly cacheControl: (nowMs: number) => string;
}

/** Route of `/feed.atom`. */
export function feedRoutes({ name, title, entries, cacheControl }: FeedPorts): GetRoute[] {
  let id: string | undefined;
  const handler: Handler = async (context) => {
    id ??= await nameUri(name);
    const body = atomFeed(id, originOf(context.request.url), title, await entries(context));
    return tagged("feed", body, "application/atom+xml; charset=utf-8", {
      "Cache-Control": cacheControl(context.nowMs),
    });
  };
  return [{ path: "/feed.atom", period: "any", handler }];
}
