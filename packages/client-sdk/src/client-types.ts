import type { TrpcRefusal } from '@gatehouse/api-main/router';
import type { TRPCBuiltRouter } from '@trpc/server';

/** What the links know of a router: how it refuses. Both services refuse alike. */
export type ClientTypes = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: TrpcRefusal; transformer: false },
  Record<never, never>
>;
