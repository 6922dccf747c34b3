import { recordRefusedLogin } from '@gatehouse/db/queries/security-event-log';
import { insertTestMember } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { startStaffWorld } from '../../test/staff-world.js';

it('staff see a member’s security events as the member sees them', async () => {
  await using world = await startStaffWorld();
  const { manager, member, root, service } = world;
  await recordRefusedLogin(service.database, {
    memberId: member.id,
    nameDigest: '',
    outcome: 'failed',
    address: '10.1.2.3',
    device: 'A browser',
    nowMs: Date.now(),
  });
  expect((await world.call('session.endFor', { memberId: member.id }, root)).status).toBe(200);
  const listed = async (as: { token: string }) =>
    (await world.call('securityEvent.listFor', { memberId: member.id }, as)).body['data'];
  const events = await listed(manager);
  expect(events).toMatchObject([
    { outcome: 'ok', actor: { userId: root.id } },
    { kind: 'login', outcome: 'failed', address: '10.1.2.3', times: 1, actor: null },
  ]);
  expect(await listed(root)).toEqual(events);
  const page = await world.call('securityEvent.listFor', { memberId: member.id, limit: 1 }, root);
  expect(page.body['data']).toHaveLength(1);
  for (const memberId of [9, 999_999])
    expect((await world.call('securityEvent.listFor', { memberId }, manager)).code).toBe('not_found');
  const colleague = await insertTestMember(service.database, {
    roleType: 6,
    isPersonnel: true,
    memberships: { 2: 5 },
  });
  expect((await world.call('securityEvent.listFor', { memberId: colleague.id }, manager)).code).toBe(
    'permission_denied',
  );
});
