import type { TrpcRefusal } from '@gatehouse/api-main/router';
import type { TRPCBuiltRouter } from '@trpc/server';

/** The type of refusals in both services' routers, as the links need it. */
export type ClientTypes = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: TrpcRefusal; transformer: false },
  Record<never, never>
>;
