import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { closing, listening } from "./listening.ts";

interface Binding {
  readonly type: string;
  readonly name: string;
  readonly text?: string;
  readonly class_name?: string;
  readonly namespace_id?: string;
}

interface Version {
  readonly id: string;
  readonly bindings: readonly Binding[];
  readonly annotations?: Readonly<Record<string, string>>;
  /** Settings for the page's files. */
  readonly assets?: { readonly config?: { readonly run_worker_first?: readonly string[] } };
}

interface Share {
  readonly version_id: string;
  readonly percentage: number;
}

/** Error that replaces an answer; `isLate`: after the request has taken effect. */
interface Fault {
  readonly status: number;
  readonly code: number;
  readonly isLate?: boolean;
}

const API = "/client/v4";
const SCRIPT = /^\/accounts\/acc\/workers\/scripts\/[\w-]+/;
/** Marks of a Worker that was deployed by wrangler and not changed on the dashboard. */
const CRON = "7 */6 * * *";
const CREATED = { created_on: "2026-01-01", source: "wrangler" };

/**
 * Stand-in for the platform's API, as far as wrangler uses it for one Worker, and for the Worker's address. A visit to
 * `/deploy` is a colleague's deployment. Of a split deployment, the version with the largest percentage answers.
 */
export class PlatformStandIn {
  url = "";
  readonly versions: Version[] = [];
  /** Deployments, the newest first. */
  readonly deployments: (readonly Share[])[] = [];
  readonly requests: string[] = [];
  /** Mode in which the newest deployment updates its objects. */
  updates: unknown;
  /** Requests to the address: path and requested version. */
  readonly visits: string[] = [];
  crons: unknown;
  domains: unknown;
  /** Product that answers at the address, under the stand-in's version; undefined: only the version answers. */
  productUrl: string | undefined;
  /** Figures that the previous version serves and the new one does not, by path. */
  readonly figuresBefore = new Map<string, string>();
  lastDeployedFrom = "wrangler";
  /** Bindings that somebody has added on the dashboard. */
  addedBindings: readonly Binding[] = [];
  /** Version that answers whatever is deployed, for a deployment that does not arrive. */
  stuckAt: string | undefined;
  /** Called at each API request with `METHOD path` below the script; it may wait. */
  fault: (request: string) => Fault | undefined | Promise<undefined> = () => undefined;
  readonly #server = createServer(async (request, response) => {
    const { url = "" } = request;
    if (this.productUrl !== undefined && !url.startsWith(API)) return this.#forward(request, response);
    const [status, body] = await this.#respond(request);
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });

  async start(): Promise<this> {
    this.url = await listening(this.#server);
    return this;
  }

  stop(): Promise<void> {
    return closing(this.#server);
  }

  get environment() {
    return {
      CLOUDFLARE_API_BASE_URL: this.url + API,
      CLOUDFLARE_API_TOKEN: "token",
      CLOUDFLARE_ACCOUNT_ID: "acc",
    };
  }

  /** Deploys a version with these classes, as somebody else would. */
  deploy(classes: readonly string[] = ["LimiterShard", "Shield", "Home"]): string {
    const bindings = classes.map((name) => ({ type: "durable_object_namespace", name, class_name: name }));
    const { id } = this.#add({ bindings });
    this.deployments.unshift([{ version_id: id, percentage: 100 }]);
    return id;
  }

  /** Shares of the newest deployment, as `id@percentage`. */
  live(): string[] {
    return (this.deployments[0] ?? []).map(({ version_id, percentage }) => `${version_id}@${percentage}`);
  }

  #add({ bindings, annotations = {}, assets = {} }: Omit<Version, "id">): Version {
    const version = { id: randomUUID(), bindings, annotations, assets };
    this.versions.push(version);
    return version;
  }

  async #respond(incoming: IncomingMessage): Promise<readonly [number, unknown]> {
    const { method = "", url = "", headers } = incoming;
    if (!url.startsWith(API)) return [200, this.#visit(url, String(headers["cloudflare-workers-version-overrides"]))];
    const body = new Request("http://x", {
      method: "POST",
      headers: { "Content-Type": headers["content-type"] ?? "" },
      body: new Uint8Array(await buffer(incoming)),
    });
    const path = new URL(url, "http://x").pathname.slice(API.length).replace(SCRIPT, "");
    this.requests.push(`${method} ${path}`);
    const fault = await this.fault(`${method} ${path}`);
    const result = fault === undefined || fault.isLate ? await this.#result(method, path, body) : null;
    const [status, code] = fault ? [fault.status, fault.code] : result === undefined ? [404, 10007] : [200, 0];
    const errors = code === 0 ? [] : [{ code, message: `error ${code} of the stand-in` }];
    return [status, { success: code === 0, errors, messages: [], result: code === 0 ? result : null }];
  }

  async #forward({ method = "GET", url = "", headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const fields = Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" && !["host", "connection"].includes(name) ? [[name, value] as const] : [],
    );
    const answer = await fetch(this.productUrl + url, {
      method,
      headers: fields.map(([a, b]) => [a, b]),
      redirect: "manual",
    });
    const override = String(headers["cloudflare-workers-version-overrides"]);
    const { version_id: version } = this.#visit(url, override) as { readonly version_id?: string };
    const body = Buffer.from(await answer.arrayBuffer());
    const isHealth = url.startsWith("/api/health");
    const figure = override === "undefined" ? this.figuresBefore.get(new URL(url, "http://x").pathname) : undefined;
    if (figure !== undefined) return void response.writeHead(200, { "Content-Type": "text/plain" }).end(figure);
    const sent = isHealth ? Buffer.from(String(body).replace('"version_id":null', `"version_id":"${version}"`)) : body;
    const left = ["content-encoding", "content-length", "transfer-encoding", "connection"];
    response.writeHead(answer.status, [...answer.headers].filter(([name]) => !left.includes(name)).flat()).end(sent);
  }

  #visit(url: string, override: string) {
    if (url === "/deploy") return this.deploy();
    const shares = [...(this.deployments[0] ?? [])].sort((a, b) => b.percentage - a.percentage);
    const asked = shares.find(({ version_id }) => override.includes(version_id))?.version_id;
    this.visits.push(`${url} ${asked ?? "any"}`);
    return { build_revision: "the same", version_id: this.stuckAt ?? asked ?? shares[0]?.version_id };
  }

  /** Answers a request; undefined: there is no such Worker. */
  async #result(method: string, path: string, body: Request): Promise<unknown> {
    if (path.endsWith("/workers/subdomain")) return { subdomain: "example" };
    if (path.startsWith("/accounts/acc/workers/workers/"))
      return { subdomain: { enabled: true, previews_enabled: false } };
    if (path === "/assets-upload-session") return { jwt: "jwt", buckets: [] };
    if (`${method} ${path}` === "PUT " || `${method} ${path}` === "POST /versions") {
      const version = this.#add(JSON.parse(String((await body.formData()).get("metadata"))));
      if (method === "PUT") this.deployments.unshift([{ version_id: version.id, percentage: 100 }]);
      return { ...details(version), deployment_id: version.id.replaceAll("-", "") };
    }
    if (this.versions.length === 0) return undefined;
    if (path.endsWith("/environments/production")) return { script: {} };
    if (path.endsWith("/environments/production/bindings"))
      return [...(this.versions.at(-1)?.bindings ?? []), ...this.addedBindings];
    if (path.endsWith("/environments/production/routes")) return [];
    if (path.endsWith("/environments/production/subdomain")) return { enabled: true, previews_enabled: false };
    if (method === "GET" && path === "/schedules") return { schedules: [{ cron: CRON }] };
    if (path === "/accounts/acc/workers/domains/records" && method === "GET") return [];
    if (path.startsWith("/accounts/acc/workers/services/")) {
      const script = { tag: "tag", last_deployed_from: this.lastDeployedFrom };
      return { default_environment: { environment: "production", script } };
    }
    if (path.startsWith("/versions/")) {
      const version = this.versions.find(({ id }) => path.endsWith(id));
      return version && details(version);
    }
    if (`${method} ${path}` === "POST /deployments") {
      const given = (await body.json()) as { readonly versions: Share[]; readonly code_update_strategy: unknown };
      this.deployments.unshift(given.versions);
      this.updates = given.code_update_strategy;
    }
    if (path === "/deployments") {
      const deployments = this.deployments.map((versions) => ({
        ...CREATED,
        id: randomUUID(),
        author_email: "a@example.org",
        versions,
      }));
      return { id: randomUUID(), deployments };
    }
    if (path === "/schedules") this.crons = await body.json();
    if (path === "/domains/records") this.domains = await body.json();
    if (path.startsWith("/domains/changeset")) return { added: [], removed: [], updated: [], conflicting: [] };
    return path === "/secrets" ? [] : {};
  }
}

function details(version: Version) {
  const resources = { bindings: version.bindings, script: { etag: "e" }, script_runtime: {} };
  return { ...version, number: 1, startup_time_ms: 1, metadata: { ...CREATED, has_preview: false }, resources };
}
