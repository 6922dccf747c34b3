import type { Context } from './context.js';

/** Tells that a login was refused because there were too many. */
export function logLimited({ services, call }: Context, memberId: number | undefined): void {
  const { requestId, address } = call;
  services.log.security({ event: 'login.limited', requestId, address, memberId, reason: 'rate_limited' });
}
