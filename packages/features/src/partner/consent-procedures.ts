import { AppError } from '@gatehouse/auth-core';
import {
  endPartnerLink,
  listPartnersOfMember,
  setPartnerConsent,
} from '@gatehouse/db/queries/partner-members';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { FRESH } from '../core/guard/freshness.js';
import { memberProcedure, procedure } from '../core/guard/procedure.js';

/**
 * Lets a partner's sign-on reach all accounts of the member, or withdraws that. Repeating it changes nothing.
 * It takes effect with the next request, in existing sessions too.
 */
const consent = procedure({ who: 'member', inPerson: true })
  .input(z.object({ partnerId: z.int().positive(), consent: z.boolean().default(true) }))
  .output(z.object({ partnerId: z.int(), consented: z.boolean() }))
  .mutation(async ({ ctx, input: { partnerId, consent: consents } }) => {
    const memberId = ctx.caller.memberId;
    await changeAndRecord(ctx, { announce: { members: [memberId] } }, async ({ tx, nowMs }) => {
      const isLinked = await setPartnerConsent(tx, { memberId, partnerId, consents, nowMs });
      if (!isLinked) throw new AppError('not_found');
      const after = { partnerId, consented: consents };
      const record = {
        action: 'partner.consent',
        subjectKind: 'member',
        subjectId: memberId,
        before: null,
        after,
      };
      return { result: undefined, record };
    });
    return { partnerId, consented: consents };
  });

/**
 * Ends the link to a partner, also one that is held: the partner cannot sign the member on any more, and the sessions that
 * it began end with the next request. What the partner created stays with the member.
 */
const endLink = procedure({ who: 'member', inPerson: true, fresh: FRESH })
  .meta({ about: { summary: 'End the link to a partner', refuses: ['not_found'] } })
  .input(z.object({ partnerId: z.int().positive() }))
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { partnerId } }) => {
    const { memberId } = ctx.caller;
    await changeAndRecord(ctx, { announce: { members: [memberId] } }, async ({ tx, nowMs }) => {
      if (!(await endPartnerLink(tx, { partnerId, memberId, endedById: memberId, nowMs })))
        throw new AppError('not_found');
      const record = {
        action: 'partner.link_ended',
        subjectKind: 'member',
        subjectId: memberId,
        before: null,
        after: { partnerId },
      };
      return { result: undefined, record };
    });
    return { message: 'The partner can no longer sign you in' };
  });

const view = z.object({
  partnerId: z.int(),
  name: z.string(),
  appUrl: z.string(),
  active: z.boolean(),
  linkedAt: z.iso.datetime(),
  consentedAt: z.iso.datetime().nullable(),
  /** Since when it awaits the member's decision and may not sign them on; null if it does not. */
  heldSince: z.iso.datetime().nullable(),
});

/** The partners that are linked to the member, and how far each reaches. A partner's session only sees that partner. */
const listMine = memberProcedure
  .input(listInput({}))
  .output(listView(view))
  .query(async ({ ctx, input }) => {
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const { memberId, session } = ctx.caller;
    const page = { afterId, limit: input.limit + 1, only: session.partnerId };
    const rows = await listPartnersOfMember(ctx.services.db, memberId, page);
    return toPage(
      rows,
      input.limit,
      ({ partnerId }) => [partnerId],
      (row) => ({
        partnerId: row.partnerId,
        name: row.name,
        appUrl: row.appUrl,
        active: row.isActive,
        linkedAt: new Date(row.linkedAtMs).toISOString(),
        consentedAt: row.consentedAtMs === null ? null : new Date(row.consentedAtMs).toISOString(),
        heldSince: row.heldSinceMs === null ? null : new Date(row.heldSinceMs).toISOString(),
      }),
    );
  });

/** A member's own procedures about partners, in both deployments. */
export const consentProcedures = { consent, endLink, listMine };
