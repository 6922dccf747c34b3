import { AppError, generatePassword, mayGive } from '@gatehouse/auth-core';
import { findMember, listPersonnelGrants } from '@gatehouse/db';
import type { z } from 'zod';
import { makeChange } from '../../../audit/make-change.js';
import type { Caller } from '../../../core/guard/caller.js';
import type { Guarded } from '../../../core/guard/guarded.js';
import { mailStaffInvitation } from '../../../registration/mail-staff-invitation.js';
import { createPersonnel } from '../create-personnel.js';
import { type personnelView, toPersonnelView } from './personnel-view.js';

export interface ColleagueFields {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly roleType: number;
  readonly accountIds?: readonly number[] | undefined;
  readonly active?: boolean | undefined;
}

/**
 * Creates a member of staff with their grants. The first password is random and never shown; a mail says how
 * to set one.
 * @throws {AppError} `permission_denied`, `email_taken`, `invalid_input` for accounts that do not exist
 */
export async function addColleague(
  ctx: Guarded<{ readonly caller: Caller }>,
  fields: ColleagueFields,
): Promise<z.output<typeof personnelView>> {
  const { services } = ctx;
  const { accountIds = [], active: isActive = true, ...person } = fields;
  const requireRank = ({ member }: Caller): void => {
    if (!mayGive(services.roles, member.roleType, person.roleType)) throw new AppError('permission_denied');
  };
  requireRank(ctx.caller);
  const passwordHash = await services.passwords.hash(generatePassword());
  const view = await makeChange(ctx, { within: accountIds }, async (tx, nowMs, decided) => {
    requireRank(decided.caller);
    const personnelId = await createPersonnel(tx, services.roles, {
      ...person,
      passwordHash,
      accountIds,
      isActive,
      nowMs,
    });
    await mailStaffInvitation(tx, services, {
      id: personnelId,
      email: person.email,
      passwordChangedAtMs: null,
    });
    const [row, grants] = [await findMember(tx, personnelId), await listPersonnelGrants(tx, personnelId)];
    if (!row) throw new AppError('internal');
    return {
      result: toPersonnelView(row, grants, nowMs),
      record: {
        action: 'personnel.added',
        onBehalfOfId: personnelId,
        subjectKind: 'member',
        subjectId: personnelId,
        before: null,
        after: { ...person, active: isActive, accountIds: grants.map(({ accountId }) => accountId) },
      },
    };
  });
  services.wakeups.wake('mail');
  return view;
}
