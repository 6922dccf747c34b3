import type { Context } from './context.js';

/** Logs a login refused by a limit. */
export function logLimited({ services, call }: Context, memberId: number | undefined): void {
  const { requestId, address } = call;
  services.log.security({ event: 'login.limited', requestId, address, memberId, reason: 'rate_limited' });
}
