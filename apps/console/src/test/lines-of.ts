import { insertTestMember, type RunningService } from '@gatehouse/testkit';

/** The lines of the audit log about one kind of action, as the service shows them. */
export async function linesOf(service: RunningService, action: string): Promise<unknown> {
  const { token } = await insertTestMember(service.database, { roleType: 0, isPersonnel: true });
  const answer = await service.send('/v1/audit/list', { token, body: { action } });
  return ((await answer.json()) as { data: unknown }).data;
}
