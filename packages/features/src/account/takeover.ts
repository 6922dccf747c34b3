import { AppError } from '@gatehouse/auth-core';
import { findAccountState } from '@gatehouse/db/queries/find-account-state';
import {
  endPartnerLink,
  hasPartnerLink,
  listHeldPartners,
  releasePartnerLink,
} from '@gatehouse/db/queries/partner-members';
import {
  findDecidableMembership,
  listHeldMemberships,
  settleHeldMembership,
} from '@gatehouse/db/queries/take-member-over';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { changeAndRecord } from '../audit/change.js';
import { consentWithdrawal } from '../audit/consent-withdrawal.js';
import { openedAccounts } from '../core/guard/account-access.js';
import type { Caller } from '../core/guard/caller.js';
import { FRESH } from '../core/guard/freshness.js';
import type { NotAuthorized } from '../core/guard/guarded.js';
import { requireLevel } from '../core/guard/level.js';
import { procedure } from '../core/guard/procedure.js';
import { personName } from '../core/member-view.js';
import { mailName } from '../mail/mail-name.js';
import { tellMember } from '../mail/queue-mail.js';
import { roleShown } from './invitation-view.js';

const MAX_PARTNERS = 200;

const membership = z.object({
  /** The `membershipId` of `takeover.decide`. */
  id: z.int(),
  accountId: z.int(),
  accountName: z.string(),
  memberId: z.int(),
  name: z.string(),
  email: z.string().nullable(),
  roleType: z.int(),
  role: z.string(),
  customRoleId: z.int().nullable(),
  joinedAt: z.iso.datetime(),
  heldSince: z.iso.datetime(),
});

const partner = z.object({
  partnerId: z.int(),
  name: z.string(),
  appUrl: z.string(),
  linkedAt: z.iso.datetime(),
  heldSince: z.iso.datetime(),
});

/**
 * What the caller has yet to decide after proving that the member is theirs: the people in accounts of which they are the primary
 * owner, page by page, and the partners that could sign them on, at most 200.
 */
export const listTakeovers = procedure({ who: 'member', inPerson: true })
  .meta({ about: { summary: 'List who was let in before the owner of the address was proven' } })
  .input(listInput({}))
  .output(listView(membership).extend({ partners: z.array(partner) }))
  .query(async ({ ctx, input }) => {
    const { services, caller } = ctx;
    const { db, access, roles } = services;
    const [afterId] = openCursor(input.cursor, idCursor) ?? [0];
    const { memberId: ownerId, member } = caller;
    const accountIds = await openedAccounts(ctx, access, caller, [...member.memberships.keys()]);
    const rows = await listHeldMemberships(
      db,
      { ownerId, scope: { all: false, accountIds } },
      { afterId, limit: input.limit + 1 },
    );
    const partners = await listHeldPartners(db, { memberId: ownerId, limit: MAX_PARTNERS });
    const page = toPage(
      rows,
      input.limit,
      ({ id }) => [id],
      (row) => ({
        id: row.id,
        accountId: row.accountId,
        accountName: row.accountName,
        memberId: row.memberId,
        name: personName(row),
        email: row.email,
        ...roleShown(row, roles),
        joinedAt: new Date(row.joinedAtMs).toISOString(),
        heldSince: new Date(row.heldSinceMs ?? 0).toISOString(),
      }),
    );
    return {
      ...page,
      partners: partners.map(({ partnerId, name, appUrl, linkedAtMs, heldSinceMs }) => ({
        partnerId,
        name,
        appUrl,
        linkedAt: new Date(linkedAtMs).toISOString(),
        heldSince: new Date(heldSinceMs ?? 0).toISOString(),
      })),
    };
  });

const id = z.int().positive().optional();

const input = z
  .strictObject({ membershipId: id, partnerId: id, keep: z.boolean() })
  .refine(({ membershipId, partnerId }) => (membershipId === undefined) !== (partnerId === undefined), {
    message: 'Send either a membershipId or a partnerId',
  });

/**
 * Approves or refuses a person or a partner admitted before the owner of the address was proven: restores their access, or
 * removes them for good. Only the primary owner of the account decides about its members, in a session that the account does not
 * refuse. A repeated approval changes nothing.
 */
export const decideTakeover = procedure({ who: 'member', inPerson: true, fresh: FRESH })
  .meta({
    about: {
      summary: 'Decide about somebody who was let in before the owner of the address was proven',
      refuses: ['not_found'],
    },
  })
  .input(input)
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx, input: { membershipId, partnerId = 0, keep } }) => {
    if (membershipId === undefined) await decidePartner(ctx, partnerId, keep);
    else await decideMembership(ctx, membershipId, keep);
    ctx.services.wakeups.wake('mail');
    return { message: keep ? 'They are let in again' : 'They stay out' };
  });

type Deciding = NotAuthorized<{ readonly caller: Caller }> & { readonly caller: Caller };

async function decideMembership(ctx: Deciding, membershipId: number, keep: boolean): Promise<void> {
  const { services } = ctx;
  const found = await findDecidableMembership(services.db, membershipId);
  const subjects = found
    ? { announce: { members: [found.memberId] }, lock: { accounts: [found.accountId] } }
    : {};
  await changeAndRecord(ctx, subjects, async ({ tx, nowMs, ...authorized }) => {
    const place = await findDecidableMembership(tx, membershipId);
    const account = place && (await findAccountState(tx, place.accountId));
    const isOwn = account?.ownerId === authorized.caller.memberId && !account.isDeleted;
    if (place === undefined || account === undefined || !isOwn) throw new AppError('not_found');
    requireLevel(authorized, authorized.caller, account);
    const { memberId, accountId, roleType, customRoleId } = place;
    if (place.heldSinceMs === null) {
      if (keep && place.active) return { result: undefined, record: undefined };
      throw new AppError('not_found');
    }
    const ended = await settleHeldMembership(tx, { membershipId, keep, nowMs });
    if (ended === undefined) throw new AppError('not_found');
    if (!keep) {
      const data = { accountName: mailName(account.name), atMs: nowMs };
      await tellMember(tx, services, { kind: 'removedFromAccount', memberId, data });
    }
    const role = { roleType, customRoleId };
    return {
      result: undefined,
      record: {
        action: keep ? 'membership.kept' : 'membership.removed',
        accountId,
        onBehalfOfId: memberId,
        subjectKind: 'membership',
        subjectId: `${accountId}/${memberId}`,
        before: { ...role, active: false },
        after: keep ? { ...role, active: true } : null,
      },
      also: ended.map((each) => consentWithdrawal(each, authorized.caller.memberId)),
    };
  });
}

async function decidePartner(ctx: Deciding, partnerId: number, keep: boolean): Promise<void> {
  const { memberId } = ctx.caller;
  await changeAndRecord(ctx, { announce: { members: [memberId] } }, async ({ tx, nowMs }) => {
    const link = { partnerId, memberId };
    const isDecided = keep
      ? await releasePartnerLink(tx, link)
      : await endPartnerLink(tx, { ...link, isHeld: true, endedById: memberId, nowMs });
    if (!isDecided) {
      if (keep && (await hasPartnerLink(tx, link))) return { result: undefined, record: undefined };
      throw new AppError('not_found');
    }
    return {
      result: undefined,
      record: {
        action: keep ? 'partner.link_kept' : 'partner.link_ended',
        subjectKind: 'member',
        subjectId: memberId,
        before: null,
        after: { partnerId },
      },
    };
  });
}
