import { createApp } from '@gatehouse/api-admin/app';
import { insertTestMember, type RunningService, startService, type TestMember } from '@gatehouse/testkit';

export interface Acting extends AsyncDisposable {
  readonly staff: TestMember;
  /** The token of a session in which they act for member 3 in account 1, and change nothing. */
  readonly acting: string;
}

/** Staff of base role 0 who act for a member of a main service. */
export async function startActing({ database }: RunningService): Promise<Acting> {
  const admin = await startService(createApp, { dialect: 'libsql', application: 'admin', database });
  const staff = await insertTestMember(database, { roleType: 0, isPersonnel: true, isConfirmed: true });
  const body = { memberId: 3, accountId: 1, reason: 'They cannot see their invoices' };
  const started = await admin.send('/v1/impersonation/start', { token: staff.token, body });
  const { token } = (await started.json()) as { token: string };
  return { staff, acting: token, [Symbol.asyncDispose]: () => admin[Symbol.asyncDispose]() };
}
