import type { Services } from '../../core/app/services.js';

/** The stored form of a ticket, under the current data key and each previous one. */
export function ticketDigests(
  { cipher }: Pick<Services, 'cipher'>,
  memberId: number,
  ticket: string,
): readonly [string, ...string[]] {
  return cipher.digests(ticket, `recoveryTicket:${memberId}`);
}
