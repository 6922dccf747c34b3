import { type Context, type Enrolled, type Enrolment, enrol } from '@gatehouse/api-kit';
import { type Database, insertAudit } from '@gatehouse/db';

/**
 * Makes a member of somebody who came by themselves, and notes it. What else belongs to becoming one is written by
 * `complete`, in the same transaction.
 *
 * @throws {AppError} as `enrol` does
 */
export async function admitMember(
  { kit, call }: Context,
  { password, ...person }: Omit<Enrolment, 'kit' | 'passwordHash'> & { readonly password: string },
  complete: (tx: Database, enrolled: Enrolled) => Promise<void>,
): Promise<Enrolled> {
  const { requestId, address } = call;
  const passwordHash = await kit.passwords.hash(password);
  const enrolled = await kit.db.transaction(async (tx) => {
    const { memberId, accountId } = await enrol(tx, { kit, ...person, passwordHash });
    await complete(tx, { memberId, accountId });
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
    return { memberId, accountId };
  });
  kit.wakeups.wake('mail');
  kit.log.security({ event: 'member.registered', requestId, address, ...enrolled });
  return enrolled;
}
