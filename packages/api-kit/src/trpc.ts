import { initTRPC } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { Context } from './context.js';
import { toFailure } from './errors.js';
import type { Rule } from './rule.js';

/** tRPC's own names of the statuses that our errors have. */
const TRPC_CODES: Readonly<Record<number, keyof typeof TRPC_ERROR_CODES_BY_KEY>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

/** The root of both routers. Errors carry the public code as `data.reason` and never a stack. */
export const t = initTRPC
  .context<Context>()
  .meta<{ rule: Rule }>()
  .create({
    isDev: false,
    errorFormatter({ shape, error, ctx }) {
      const failure = toFailure(error);
      const code = TRPC_CODES[failure.status] ?? 'INTERNAL_SERVER_ERROR';
      return {
        message: failure.message,
        code: TRPC_ERROR_CODES_BY_KEY[code],
        data: {
          code,
          httpStatus: failure.status,
          path: shape.data.path,
          reason: failure.code,
          issues: failure.issues,
          requestId: ctx?.call.requestId,
        },
      };
    },
  });
