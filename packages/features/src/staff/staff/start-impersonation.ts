import { AppError, mayImpersonate } from '@gatehouse/auth-core';
import { insertImpersonation } from '@gatehouse/db/queries/impersonations';
import { findMember } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { changeAndRecord } from '../../audit/change.js';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import { lockSubject } from '../../core/authority/require-authority.js';
import type { Services } from '../../core/context.js';
import { isInScope } from '../../core/guard/account-access.js';
import { FRESH } from '../../core/guard/freshness.js';
import { procedure } from '../../core/guard/procedure.js';
import { screenLink } from '../../mail/app-link.js';
import { queueMail } from '../../mail/queue-mail.js';
import { mainUrl } from '../../social/configured-provider.js';

const MAX_REASON_LENGTH = 500;

/** How long the link to the portal works. */
const TICKET_SECONDS = 60;

const input = z.object({
  memberId: z.int().positive(),
  reason: z.string().trim().min(10).max(MAX_REASON_LENGTH),
  /** The account it is about. Staff who do not act in every account have to name one. */
  accountId: z.int().positive().optional(),
  minutes: z.int().min(5).max(60).default(30),
  /** Whether writes are possible too, for staff of base role 0. */
  write: z.boolean().default(false),
});

/**
 * Begins a session of the main service in which staff act for a member. What the staff may not do themselves, they may not
 * do there either. It ends the one the same person began before.
 */
export const startImpersonation = procedure({
  who: 'staff',
  permission: 'member.impersonate',
  inAccounts: true,
  fresh: FRESH,
})
  .meta({ about: { summary: 'Begin a session in which staff act for a member', refuses: ['not_found'] } })
  .input(input)
  .output(
    z.object({
      message: z.string(),
      /** Goes into the token header of the main service. */
      token: z.string(),
      expiresAt: z.iso.datetime(),
      impersonationId: z.int(),
      /** Opens the session in a browser, once and within a minute; null where the portal is off. */
      url: z.string().nullable(),
    }),
  )
  .mutation(async ({ ctx, input: { memberId, reason, accountId = null, minutes, write } }) => {
    const { services } = ctx;
    const actorId = ctx.caller.memberId;
    const subjects = {
      announce: { members: memberId === actorId ? [actorId] : [memberId, actorId] },
      share: { accounts: accountId === null ? [] : [accountId] },
    };
    const started = await changeAndRecord(ctx, subjects, async ({ tx, nowMs, ...authorized }) => {
      const { roles, tokens, config } = services;
      const actor = authorized.caller.member;
      const isRoot = actor.roleType === roles.id.admin;
      if (!isRoot && accountId === null) throw accountNeeded();
      if (accountId !== null && !isInScope(authorized.scope, accountId)) throw new AppError('not_found');
      const need = { permission: 'member.list', need: 'mayServe' } as const;
      await lockSubject(authorized, tx, { memberId, nowMs }, need);
      const reader = createLockedReader(tx, nowMs);
      const account = accountId === null ? undefined : await reader.account(accountId);
      const member = await reader.member(memberId);
      const profile = await findMember(tx, memberId);
      if (!member || !profile) throw new AppError('not_found');
      const mayStart = mayImpersonate(roles, { actor, member, accountId, account });
      if (!mayStart || (write && !isRoot)) throw new AppError('permission_denied');

      const ttlSeconds = minutes * 60;
      const expiresAtMs = Math.floor(nowMs / 1000) * 1000 + ttlSeconds * 1000;
      let token = '';
      const impersonationId = await insertImpersonation(
        tx,
        {
          actorId,
          actorEpoch: actor.sessionEpoch,
          memberId,
          memberEpoch: member.sessionEpoch,
          accountId,
          reason,
          mayWrite: write,
          level: authorized.caller.session.level,
          ssoLoginId: authorized.caller.session.sso?.loginId ?? null,
          nowMs,
          expiresAtMs,
        },
        (id) => {
          const act = { userId: actorId, impersonationId: id };
          const { roleType: role, isPersonnel } = member;
          const { defaultPaymentId } = profile;
          const claims = { userId: memberId, role, defaultPaymentId, accountId, isPersonnel, act };
          const sealed = tokens.sealImpersonation(claims, { nowMs, ttlSeconds });
          token = sealed.token;
          return sealed.tokenKey;
        },
      );
      if (profile.email !== null) {
        await queueMail(tx, services, {
          kind: 'impersonationStarted',
          to: profile.email,
          memberId,
          data: { atMs: nowMs, expiresAtMs, isReadOnly: !write, link: screenLink(config, 'you/sessions') },
        });
      }
      const expiresAt = new Date(expiresAtMs).toISOString();
      return {
        result: {
          token,
          expiresAt,
          impersonationId,
          url: portalLink(services, { session: token, memberId }),
        },
        record: {
          action: 'impersonation.started',
          ...(accountId === null ? {} : { accountId }),
          onBehalfOfId: memberId,
          subjectKind: 'impersonation',
          subjectId: impersonationId,
          before: null,
          after: { reason, readOnly: !write, expiresAt },
        },
      };
    });
    services.wakeups.wake('mail');
    return { message: 'You are now acting for the member', ...started };
  });

/** The address at which the portal opens the session. The token is in the fragment, which browsers send to no server. */
function portalLink(
  { config, tokens }: Services,
  { session, memberId }: { readonly session: string; readonly memberId: number },
): string | null {
  if (!config.PORTAL) return null;
  const back = config.CONSOLE ? `${config.BASE_URL}/console/members/${memberId}` : null;
  const ticket = tokens.sealOneUse({ type: 'impersonationTicket', session, back }, TICKET_SECONDS).token;
  return `${mainUrl(config)}/portal/impersonate#ticket=${ticket}`;
}

function accountNeeded(): AppError {
  return new AppError('invalid_input', {
    issues: [{ path: 'accountId', message: 'Choose an organization' }],
  });
}
