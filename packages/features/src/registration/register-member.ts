import type { Database } from '@gatehouse/db';
import { recordAudit } from '../audit/record-audit.js';
import type { Context } from '../core/context.js';
import { type Enrolled, type Enrolment, enrol } from './enrol.js';

/**
 * Creates a member who registers without a partner or invitation, and logs it. `complete` writes further rows
 * in the same transaction; its result is returned.
 *
 * @throws {AppError} as `enrol` does
 */
export async function registerMember<Completed>(
  { services, call }: Context,
  { password, ...person }: Omit<Enrolment, 'services' | 'passwordHash'> & { readonly password: string },
  complete: (tx: Database, enrolled: Enrolled) => Promise<Completed>,
): Promise<Enrolled & { readonly completed: Completed; readonly passwordHash: string }> {
  const { requestId, address } = call;
  const passwordHash = await services.passwords.hash(password);
  const { completed, ...enrolled } = await services.db.transaction(async (tx) => {
    const { memberId, accountId } = await enrol(tx, { services, ...person, passwordHash });
    const outcome = await complete(tx, { memberId, accountId });
    await recordAudit(
      tx,
      { services, call },
      {
        atMs: services.now(),
        action: 'member.registered',
        actorId: memberId,
        accountId,
        subjectKind: 'member',
        subjectId: memberId,
      },
    );
    return { memberId, accountId, completed: outcome };
  });
  services.wakeups.wake('mail');
  services.log.security({ event: 'member.registered', requestId, address, ...enrolled });
  return { ...enrolled, completed, passwordHash };
}
