import { TOKEN_LIVES_SECONDS } from '@gatehouse/auth-core';
import type { Context } from '../core/context.js';
import type { CallingPartner } from '../core/guard/service-callers.js';

/**
 * The URL at which a partner's front end signs a member in: its own URL with a one-use token in the fragment,
 * valid for ten minutes. Browsers do not send fragments to servers.
 */
export function sealLoginUrl(
  { services, call }: Context,
  partner: CallingPartner,
  member: {
    readonly id: number;
    readonly roleType: number;
    readonly defaultPaymentId: number;
    readonly accountIds: readonly number[];
    readonly sessionEpoch: number;
  },
): string {
  const { token } = services.tokens.sealOneUse(
    {
      type: 'partnerLogin',
      userId: member.id,
      role: member.roleType,
      defaultPaymentId: member.defaultPaymentId,
      accountIds: member.accountIds,
      partnerId: partner.id,
      sessionEpoch: member.sessionEpoch,
    },
    TOKEN_LIVES_SECONDS.partnerLogin,
  );
  services.log.security({
    event: 'token.issued',
    requestId: call.requestId,
    address: call.address,
    memberId: member.id,
    partnerId: partner.id,
  });
  return `${partner.appUrl}/#login?token=${token}`;
}
