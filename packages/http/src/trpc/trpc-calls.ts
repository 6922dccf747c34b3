import type { AnyTRPCRouter } from '@trpc/server';
import { proceduresOf } from './procedures-of.js';

/** The procedures a tRPC path names, for the log; anything unknown is `-`, so that no caller's text is logged. */
export function trpcCalls(router: AnyTRPCRouter, path: string): string {
  const procedures = proceduresOf(router);
  if (!path.includes(',')) return Object.hasOwn(procedures, path) ? path : '-';
  return path
    .split(',')
    .slice(0, 20)
    .map((name) => (Object.hasOwn(procedures, name) ? name : '-'))
    .join(',');
}
