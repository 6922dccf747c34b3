import { type Database, insertAudit } from '@gatehouse/db';
import type { Context } from '@gatehouse/features/app/context';
import { type Enrolled, type Enrolment, enrol } from '@gatehouse/features/registration/enrol';

/**
 * Makes a member of somebody who came by themselves, and notes it. What else belongs to becoming one is written by
 * `complete`, in the same transaction, whose result is given back.
 *
 * @throws {AppError} as `enrol` does
 */
export async function admitMember<Completed>(
  { kit, call }: Context,
  { password, ...person }: Omit<Enrolment, 'kit' | 'passwordHash'> & { readonly password: string },
  complete: (tx: Database, enrolled: Enrolled) => Promise<Completed>,
): Promise<Enrolled & { readonly completed: Completed }> {
  const { requestId, address } = call;
  const passwordHash = await kit.passwords.hash(password);
  const { completed, ...enrolled } = await kit.db.transaction(async (tx) => {
    const { memberId, accountId } = await enrol(tx, { kit, ...person, passwordHash });
    const outcome = await complete(tx, { memberId, accountId });
    await insertAudit(tx, {
      atMs: kit.now(),
      action: 'member.registered',
      actorId: memberId,
      accountId,
      subjectKind: 'member',
      subjectId: memberId,
      address,
      requestId,
    });
    return { memberId, accountId, completed: outcome };
  });
  kit.wakeups.wake('mail');
  kit.log.security({ event: 'member.registered', requestId, address, ...enrolled });
  return { ...enrolled, completed };
}
