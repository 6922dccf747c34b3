import { AppError, generatePassword, mayGive } from '@gatehouse/auth-core';
import { findMember, listPersonnelGrants } from '@gatehouse/db';
import type { Caller } from '@gatehouse/features/app/caller';
import type { Guarded } from '@gatehouse/features/app/guarded';
import { makeChange } from '@gatehouse/features/audit/make-change';
import { appLink } from '@gatehouse/features/mail/app-link';
import { queueMail } from '@gatehouse/features/mail/queue-mail';
import { createPersonnel } from '@gatehouse/features/personnel/create-personnel';
import { setGrants } from '@gatehouse/features/personnel/set-grants';
import type { z } from 'zod';
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
 * Makes a member of staff with their grants. Nobody is told the first password: the mail they get says how to set one.
 * @throws {AppError} `permission_denied`, `email_taken`, `invalid_input` for accounts that do not exist
 */
export async function addColleague(
  ctx: Guarded<{ readonly caller: Caller }>,
  fields: ColleagueFields,
): Promise<z.output<typeof personnelView>> {
  const { kit } = ctx;
  const { accountIds = [], active: isActive = true, ...person } = fields;
  const requireRank = ({ member }: Caller): void => {
    if (!mayGive(kit.roles, member.roleType, person.roleType)) throw new AppError('permission_denied');
  };
  requireRank(ctx.caller);
  const passwordHash = await kit.passwords.hash(generatePassword());
  const view = await makeChange(ctx, { within: accountIds }, async (tx, nowMs, decided) => {
    requireRank(decided.caller);
    const personnelId = await createPersonnel(tx, kit.roles, { ...person, passwordHash, isActive, nowMs });
    await setGrants(tx, { personnelId, accountIds, isActive, nowMs });
    await queueMail(tx, kit, {
      kind: 'staffInvitation',
      to: person.email,
      memberId: personnelId,
      data: { link: appLink(kit.config, 'forgot') },
    });
    const [row, grants] = [await findMember(tx, personnelId), await listPersonnelGrants(tx, personnelId)];
    if (!row) throw new AppError('internal');
    return {
      result: toPersonnelView(row, grants),
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
  kit.wakeups.wake('mail');
  return view;
}
