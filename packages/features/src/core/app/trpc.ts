import type { ProcedureMeta } from '@gatehouse/http/trpc/rule';
import { toTrpcRefusal } from '@gatehouse/http/trpc/trpc-refusal';
import { initTRPC } from '@trpc/server';
import type { Context } from './context.js';

/** The root of both routers. */
export const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({ isDev: false, errorFormatter: toTrpcRefusal });
