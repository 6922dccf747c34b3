import type { Context } from '../../core/app/context.js';
import { forgetCookie, forgetSelectedAccount } from '../login/cookie-mode.js';

/** Removes the cookie that a call has brought its session in, and the account that was selected for it. */
export function forgetSession(ctx: Context): void {
  const { byCookie } = ctx.call.facts;
  if (byCookie === undefined) return;
  forgetCookie(ctx, byCookie);
  if (byCookie === 'session') forgetSelectedAccount(ctx);
}
