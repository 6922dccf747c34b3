import { AppError } from '@gatehouse/auth-core';
import { findTokenState } from '@gatehouse/db/queries/find-token-state';
import { findImpersonation } from '@gatehouse/db/queries/impersonations';
import { findMember } from '@gatehouse/db/queries/read-members';
import { consumeToken } from '@gatehouse/db/queries/refresh-session';
import { z } from 'zod';
import { recordAudit } from '../audit/record-audit.js';
import { isCookieMode, keepInCookie } from '../authentication/session/cookie-mode.js';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import type { Services } from '../core/context.js';
import { recognise } from '../core/guard/caller.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { personName } from '../core/member-view.js';

/**
 * The impersonation that a ticket of its link opens.
 * @throws {AppError} `invalid_token`
 */
async function readTicket({ tokens, db }: Services, sent: string) {
  const ticket = tokens.openTicket(sent);
  const session = ticket && tokens.openSession(ticket.session);
  const begun = session?.impersonationId && (await findImpersonation(db, session.impersonationId));
  if (!ticket || !session || !begun) throw new AppError('invalid_token');
  return { ticket, session, begun };
}

/**
 * Says who would act for whom through a link, so that the page can ask first: a link that somebody else sent must not turn a
 * browser into the member's. The ticket stays usable.
 */
export const impersonationDetails = publicProcedure
  .meta({
    about: {
      summary: 'Tell who would act for whom by the link of an impersonation',
      refuses: ['invalid_token'],
    },
  })
  .input(z.strictObject({ ticket: z.string() }))
  .output(
    z.object({
      actorName: z.string(),
      memberName: z.string(),
      readOnly: z.boolean(),
      expiresAt: z.iso.datetime(),
    }),
  )
  .query(async ({ ctx: { services }, input }) => {
    const { ticket, session, begun } = await readTicket(services, input.ticket);
    const used = await findTokenState(services.db, ticket.tokenKey);
    if (used?.isRevoked || begun.endedAtMs !== null) throw new AppError('invalid_token');
    const actor = await findMember(services.db, begun.actorId);
    const member = await findMember(services.db, begun.memberId);
    if (!actor || !member) throw new AppError('invalid_token');
    return {
      actorName: personName(actor),
      memberName: personName(member),
      readOnly: !begun.mayWrite,
      expiresAt: new Date(session.expiresAtMs).toISOString(),
    };
  });

/**
 * Opens the session of an impersonation in a browser, by the ticket of its link. Its cookie does not replace that of
 * the browser's own session, which is valid again afterwards.
 */
export const openImpersonation = publicProcedure
  .meta({
    about: {
      summary: 'Open a session in which staff act for a member in a browser',
      refuses: ['invalid_token'],
    },
  })
  .input(z.strictObject({ ticket: z.string() }))
  .output(
    z.object({
      message: z.string(),
      data: z.object({
        expiresAt: z.iso.datetime(),
        /** The page of the console it was begun on, to go to at the end; null without a console. */
        back: z.string().nullable(),
      }),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { services, call } = ctx;
    if (!isCookieMode(ctx)) throw new AppError('origin_refused');
    const { ticket, session, begun } = await readTicket(services, input.ticket);
    await services.db.transaction(async (tx) => {
      const nowMs = services.now();
      const reader = createLockedReader(tx, nowMs);
      await reader.lockAccounts(begun.accountId === null ? [] : [begun.accountId], 'share');
      for (const id of [begun.memberId, begun.actorId].toSorted((one, other) => one - other))
        await reader.lockMember(id, 'share');
      const caller = await recognise(ctx, reader, session, 'session');
      const acting = caller?.session.impersonation;
      if (!caller || !acting) throw new AppError('invalid_token');
      if (!(await consumeToken(tx, ticket))) throw new AppError('invalid_token');
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'impersonation.opened',
        actorId: acting.actorId,
        onBehalfOfId: caller.memberId,
        subjectKind: 'impersonation',
        subjectId: acting.id,
      });
    });
    services.log.security({
      event: 'token.issued',
      requestId: call.requestId,
      address: call.address,
      memberId: session.userId,
    });
    keepInCookie(ctx, 'acting', { token: ticket.session, expiresAtMs: session.expiresAtMs });
    return {
      message: 'You are now acting for the member',
      data: { expiresAt: new Date(session.expiresAtMs).toISOString(), back: ticket.back },
    };
  });
