import { describe, expect, it } from 'vitest';
import { isServer } from './page-window.js';

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
