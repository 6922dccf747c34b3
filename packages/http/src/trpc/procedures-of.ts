import type { AnyTRPCRouter } from '@trpc/server';

/** The procedures of a router by call path, such as `session.me`. */
export function proceduresOf(router: AnyTRPCRouter): Readonly<Record<string, { readonly _def: unknown }>> {
  // oxlint-disable-next-line typescript/no-unsafe-return -- tRPC flattens every router into one record of procedures, and leaves it untyped for routers of any shape.
  return router._def.procedures;
}

/**
 * The same router with other procedures in the place of its own, told of as they are. Names that every object has stay unknown: the
 * record has no prototype.
 */
export function mapProcedures<Router extends AnyTRPCRouter>(
  router: Router,
  change: (procedure: { readonly _def: unknown }, path: string) => (call: never) => Promise<unknown>,
): Router {
  const procedures = Object.fromEntries(
    Object.entries(proceduresOf(router)).map(([path, procedure]) => [
      path,
      Object.assign(change(procedure, path), procedure),
    ]),
  );
  Object.setPrototypeOf(procedures, null);
  return { ...router, _def: { ...router._def, procedures } };
}
