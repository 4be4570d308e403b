const PATHS = ["/api/circulating-supply", "/api/total-supply", "/v1"];
const REPEATS = 4;
const REQUEST_MS = 20_000;

export interface LatencyPorts {
  readonly fetch: typeof fetch;
  readonly now: () => number;
}

/**
 * Measures each path from this machine's region: milliseconds of the first request, and the median of the next ones.
 * Each line names the data centre, the limiter's region and its mode, as the response reports them.
 */
export async function measureLatencies(address: string, ports: LatencyPorts): Promise<string[]> {
  const lines: string[] = [];
  for (const path of PATHS) {
    const samples: Sample[] = [];
    for (let index = 0; index <= REPEATS; index += 1) samples.push(await sample(address + path, ports));
    // The path is not served by this deployment.
    if (samples[0]?.status !== 404) lines.push(lineOf(path, samples));
  }
  return lines;
}

interface Sample {
  /** Status of the response; 0: there was none. */
  readonly status: number;
  readonly milliseconds: number;
  readonly placement: string;
}

async function sample(url: string, { fetch, now }: LatencyPorts): Promise<Sample> {
  const startedAtMs = now();
  try {
    const headers = { "X-Server-Timing": "1" };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(REQUEST_MS) });
    await response.arrayBuffer();
    const colo = response.headers.get("CF-Ray")?.split("-")[1] ?? "unknown";
    const timing = response.headers.get("Server-Timing") ?? "no Server-Timing";
    const { status } = response;
    return { status, milliseconds: now() - startedAtMs, placement: `data centre ${colo}; ${timing}` };
  } catch {
    return { status: 0, milliseconds: now() - startedAtMs, placement: "no answer" };
  }
}

function lineOf(path: string, samples: readonly Sample[]): string {
  const [first, ...rest] = samples;
  const sorted = rest.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${path}: first ${first?.milliseconds ?? 0} ms, then ${median} ms; ${rest.at(-1)?.placement ?? ""}`;
}
