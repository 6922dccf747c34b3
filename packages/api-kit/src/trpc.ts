import { initTRPC } from '@trpc/server';
import type { Context } from './context.js';
import type { ProcedureMeta } from './rule.js';
import { toTrpcRefusal } from './trpc-refusal.js';

/** The root of both routers. */
export const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({ isDev: false, errorFormatter: toTrpcRefusal });
