import { listHeldMemberships, listHeldPartners } from '@gatehouse/db';
import { idCursor, listInput, listView, openCursor, toPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { openedAccounts } from '../../core/guard/account-access.js';
import { inPersonProcedure } from '../../core/guard/procedures.js';
import { personName } from '../../core/member-view.js';
import { roleShown } from '../invitation/invitation-view.js';

const MOST_PARTNERS = 200;

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
 * What the caller has yet to decide since they proved that the member is theirs: the people in accounts of which they are
 * the primary owner, page by page, and the partners that could sign them on, at most 200.
 */
export const list = inPersonProcedure
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
    const partners = await listHeldPartners(db, { memberId: ownerId, limit: MOST_PARTNERS });
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
