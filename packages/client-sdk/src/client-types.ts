import type { TrpcRefusal } from '@gatehouse/api-main/router';
import type { TRPCBuiltRouter } from '@trpc/server';

/** The links' view of a router: its form of refusal, which both services share. */
export type ClientTypes = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: TrpcRefusal; transformer: false },
  Record<never, never>
>;
