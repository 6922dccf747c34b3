import { describe, expect, it, vi } from 'vitest';
import { isServer, watchRecovery } from './page-window.js';

const scope = (...names: string[]) => Object.fromEntries(names.map((name) => [name, {}]));

describe('a client that names no store', () => {
  it.each([
    ['Node', scope('process', 'navigator')],
    ['Cloudflare Workers', scope('self', 'navigator', 'caches', 'WorkerGlobalScope', 'importScripts')],
    ['Deno', scope('self', 'window', 'navigator', 'location', 'Deno')],
    ['Vercel Edge', scope('self', 'EdgeRuntime')],
    ['the server of a framework that defines a window', scope('window', 'process')],
  ])('is on a server in %s', (_, globals) => {
    expect(isServer(globals)).toBe(true);
  });

  it.each([
    ['a page', scope('window', 'document', 'location', 'navigator')],
    ['a worker of a page', scope('self', 'location', 'navigator', 'WorkerGlobalScope', 'importScripts')],
  ])('is in a browser in %s', (_, globals) => {
    expect(isServer(globals)).toBe(false);
  });
});

it('a client says when a failed call may work again, until it is stopped, and never on a server', () => {
  vi.useFakeTimers();
  const page = new EventTarget();
  let calls = 0;
  function count(): void {
    calls += 1;
  }
  try {
    watchRecovery(count)();
    expect(vi.getTimerCount()).toBe(0);
    vi.stubGlobal('window', page);
    vi.stubGlobal('document', {});
    const stop = watchRecovery(count);
    page.dispatchEvent(new Event('online'));
    page.dispatchEvent(new Event('visibilitychange'));
    vi.advanceTimersByTime(60_000);
    expect(calls).toBe(3);
    stop();
    page.dispatchEvent(new Event('online'));
    expect([calls, vi.getTimerCount()]).toEqual([3, 0]);
  } finally {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  }
});
