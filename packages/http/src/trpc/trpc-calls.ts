import type { AnyTRPCRouter } from '@trpc/server';
import { proceduresOf } from './procedures-of.js';

/** The procedures of a tRPC path, for the log. An unknown one is `-`, so the caller's text is not logged. */
export function trpcCalls(router: AnyTRPCRouter, path: string): string {
  const procedures = proceduresOf(router);
  if (!path.includes(',')) return Object.hasOwn(procedures, path) ? path : '-';
  return path
    .split(',')
    .slice(0, 20)
    .map((name) => (Object.hasOwn(procedures, name) ? name : '-'))
    .join(',');
}
