import { Agent, get } from 'node:http';
import { performance } from 'node:perf_hooks';

/** A caller who will lose access. */
export interface HammeredCaller {
  readonly token: string;
  readonly accountId: number;
}

export interface Hammer {
  /** Adds this caller to the calls of every client. */
  add(caller: HammeredCaller): void;
  /**
   * Records that the loss of access was acknowledged just now, and stops calling as this caller after a
   * while.
   */
  lost(caller: HammeredCaller): void;
  /** Waits until this many more requests have begun. */
  requests(count: number): Promise<void>;
  /** Stops the clients. */
  stop(): Promise<HammerReport>;
}

export interface HammerReport {
  readonly requests: number;
  readonly allowed: number;
  readonly refused: number;
  /** Requests that began after the loss was acknowledged, but succeeded. */
  readonly tooLate: number;
  /** Answers of 500 and above, and broken connections. */
  readonly faults: number;
}

/** How long the calls of a caller who lost access continue. */
const AFTERMATH_MS = 40;

/**
 * Sends guarded requests to several nodes from many clients without pause. Counts those that succeed although
 * they began after the caller's loss of access was acknowledged.
 */
export function startHammer(urls: readonly string[], options: { clients: number; path: string }): Hammer {
  const agent = new Agent({ keepAlive: true, maxSockets: Math.ceil(options.clients / urls.length) });
  const lostAt = new Map<HammeredCaller, number>();
  const callers: HammeredCaller[] = [];
  const report = { requests: 0, allowed: 0, refused: 0, tooLate: 0, faults: 0 };
  const waiting: { until: number; resolve: () => void }[] = [];
  let isRunning = true;

  async function client(index: number): Promise<void> {
    for (let turn = index; isRunning; turn += 1) {
      const caller = callers[turn % Math.max(1, callers.length)];
      if (!caller) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        continue;
      }
      const startedAt = performance.now();
      report.requests += 1;
      for (const waiter of waiting) if (report.requests >= waiter.until) waiter.resolve();
      const status = await statusOf(`${urls[turn % urls.length]}${options.path}`, caller, agent);
      const isAllowed = status === 200;
      if (isAllowed) report.allowed += 1;
      else if (status >= 500 || status === 0) report.faults += 1;
      else report.refused += 1;
      if (isAllowed && startedAt > (lostAt.get(caller) ?? Number.POSITIVE_INFINITY)) report.tooLate += 1;
    }
  }

  const clients = Array.from({ length: options.clients }, (_, index) => client(index));
  return {
    add: (caller) => void callers.push(caller),
    lost(caller) {
      lostAt.set(caller, performance.now());
      setTimeout(() => {
        const index = callers.indexOf(caller);
        if (index !== -1) callers.splice(index, 1);
      }, AFTERMATH_MS);
    },
    requests: (count) =>
      new Promise((resolve) => {
        waiting.push({ until: report.requests + count, resolve });
      }),
    async stop() {
      await new Promise((resolve) => setTimeout(resolve, AFTERMATH_MS * 2));
      isRunning = false;
      await Promise.all(clients);
      agent.destroy();
      return report;
    },
  };
}

/** The status of one GET, 0 when the connection broke. */
function statusOf(url: string, caller: HammeredCaller, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const request = get(url, {
      agent,
      headers: { token: caller.token, accountid: String(caller.accountId) },
    });
    request.once('response', (response) => {
      response.resume();
      response.once('end', () => {
        resolve(response.statusCode ?? 0);
      });
    });
    request.once('error', () => {
      resolve(0);
    });
  });
}
