import { AppError, storableText } from '@gatehouse/auth-core';
import { listForeignOwners } from '@gatehouse/db/queries/foreign-ids';
import { findMember } from '@gatehouse/db/queries/read-members';
import { z } from 'zod';
import { requireSight } from '../../core/authority/require-authority.js';
import { procedure } from '../../core/guard/procedure.js';
import { memberView, toMemberView } from '../../core/member-view.js';

/** The member whom another system, from which members were imported, knows by an id. */
export const memberByForeignId = procedure({ who: 'staff', permission: 'member.list', inAccounts: true })
  .meta({ about: { summary: 'Find a member by the id of another system', refuses: ['not_found'] } })
  .input(
    z.object({
      /** The system: the kind of the import, or the name that the operator gave it. */
      source: storableText(64),
      /** The id there, compared letter by letter. */
      id: storableText(255),
    }),
  )
  .output(z.object({ data: memberView }))
  .query(async ({ ctx, input: { source, id } }) => {
    const { db, now } = ctx.services;
    const owners = await listForeignOwners(db, { kind: 'member', source, foreignIds: [id] });
    const memberId = owners.get(id);
    const member = memberId === undefined ? undefined : await findMember(db, memberId);
    if (member === undefined) throw new AppError('not_found');
    await requireSight(db, ctx.scope, member);
    return { data: toMemberView(member, now()) };
  });
