import type { AnyTRPCRouter } from '@trpc/server';

/** The procedures of a router by call path, such as `session.me`. */
export function proceduresOf(router: AnyTRPCRouter): Readonly<Record<string, { readonly _def: unknown }>> {
  // oxlint-disable-next-line typescript/no-unsafe-return -- tRPC flattens every router into one record of procedures, and leaves it untyped for routers of any shape.
  return router._def.procedures;
}
