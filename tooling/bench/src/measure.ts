import autocannon from 'autocannon';

export interface Measurement {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
}

export interface Load {
  readonly url: string;
  readonly headers?: Record<string, string>;
  /** Requests sent in turn, instead of a GET of the URL. */
  readonly requests?: readonly LoadRequest[];
  /** Makes each request, instead. */
  readonly next?: () => LoadRequest;
}

export interface LoadRequest {
  readonly path: string;
  /** The body of a POST, as JSON or as a form; the request is a GET if absent. */
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

/**
 * Repeats one request from `connections` connections for `seconds`.
 * @throws {Error} if any answer was not a 2xx, because measurements of refusals are useless.
 */
export async function measure(
  load: Load,
  options: { seconds: number; connections: number },
): Promise<Measurement> {
  const { next } = load;
  const result = await autocannon({
    url: load.url,
    headers: load.headers ?? {},
    ...(load.requests
      ? { requests: load.requests.map((request) => toAutocannon(request, load.headers ?? {})) }
      : {}),
    ...(next ? { requests: [{ setupRequest: (given) => ({ ...given, ...toAutocannon(next(), {}) }) }] } : {}),
    connections: options.connections,
    duration: options.seconds,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${load.url}: ${result.non2xx} refusals, ${result.errors} errors`);
  }
  return {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    requests: result.requests.total,
  };
}

function toAutocannon({ path, body, ...own }: LoadRequest, all: Record<string, string>): autocannon.Request {
  const headers = { ...all, ...own.headers };
  if (body === undefined) return { method: 'GET', path, headers };
  const isForm = body instanceof URLSearchParams;
  return {
    method: 'POST',
    path,
    headers: {
      ...headers,
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    },
    body: isForm ? body.toString() : JSON.stringify(body),
  };
}

/** The median; for an even count the lower of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** The quantile for a share from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
