import { Agent, get } from 'node:http';
import { percentile } from '../measure.js';
import { randomGapMs } from './random-gap.js';

export interface CallFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Either this many callers, each of whom calls again once answered, or this many calls a second on average. */
export type CallLoad = { readonly callers: number } | { readonly callsPerSecond: number };

/** Calls a service from this process, and reports latencies more finely than whole milliseconds. */
export async function measureCalls(
  target: { url: string; headers: Record<string, string> },
  load: CallLoad,
  seconds: number,
): Promise<CallFigures> {
  const agent = new Agent({ keepAlive: true, noDelay: true });
  const tookMs: number[] = [];
  const startMs = performance.now();
  const isOver = () => performance.now() - startMs >= seconds * 1_000;
  const call = async () => {
    const sentMs = performance.now();
    await request(target, agent);
    tookMs.push(performance.now() - sentMs);
  };
  try {
    await ('callers' in load
      ? Promise.all(Array.from({ length: load.callers }, () => repeat(call, isOver)))
      : callAtRandom(call, load.callsPerSecond, isOver));
  } finally {
    agent.destroy();
  }
  return {
    perSecond: tookMs.length / seconds,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
  };
}

async function repeat(call: () => Promise<void>, isOver: () => boolean): Promise<void> {
  while (!isOver()) await call();
}

async function callAtRandom(
  call: () => Promise<void>,
  callsPerSecond: number,
  isOver: () => boolean,
): Promise<void> {
  const calls: Promise<void>[] = [];
  let nextMs = performance.now();
  while (!isOver()) {
    while (nextMs <= performance.now()) {
      calls.push(call());
      nextMs += randomGapMs(callsPerSecond);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(calls);
}

function request(target: { url: string; headers: Record<string, string> }, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(target.url, { headers: target.headers, agent }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${target.url} answers ${response.statusCode}`));
      });
    }).once('error', reject);
  });
}
