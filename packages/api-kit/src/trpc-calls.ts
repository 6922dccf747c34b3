import type { AnyTRPCRouter } from '@trpc/server';

/** The procedures a tRPC path names, for the log; anything unknown is `-`, so that no caller's text is logged. */
export function trpcCalls(router: AnyTRPCRouter, path: string): string {
  if (!path.includes(',')) return Object.hasOwn(router._def.procedures, path) ? path : '-';
  return path
    .split(',')
    .slice(0, 20)
    .map((name) => (Object.hasOwn(router._def.procedures, name) ? name : '-'))
    .join(',');
}
