import { createApp } from '@gatehouse/api-admin/app';
import { insertTestMember, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { startFactorWorld } from '../../test/factor-world.js';

describe('changing a member', () => {
  it('requires for a ban or a base role a verification as recent as their own procedures do', async () => {
    await using world = await startFactorWorld();
    const plain = await world.member({ roleType: 0, isPersonnel: true });
    await world.call('verification.sendEmail', {}, { token: plain.token });
    const { members } = world.db.tables;
    const find = async (id: number) => (await world.db.select().from(members)).find((row) => row.id === id);
    const emailCode = await world.mailedCode((await find(plain.id))?.email ?? '');
    const { token } = await world.enrol(plain, { emailCode });
    const colleague = await world.member({ roleType: 6, isPersonnel: true });
    const member = await world.member({ memberships: { 1: 5 } });
    const banned = await world.member({ roleType: 3, memberships: { 1: 5 } });
    await world.call('member.ban', { memberId: banned.id }, { token, on: world.admin });
    const change = async (input: object) => {
      const { status, code } = await world.call('member.update', input, { token, on: world.admin });
      return [status, code];
    };
    world.wait(11 * 60_000);
    for (const input of [
      { memberId: member.id, roleType: 11 },
      { memberId: member.id, email: 'other@mill.test' },
      { memberId: colleague.id, roleType: 0 },
      { memberId: banned.id, roleType: 3 },
    ])
      expect([input, await change(input)]).toEqual([input, [403, 'verification_required']]);
    expect(await change({ memberId: member.id, firstName: 'Ada' })).toEqual([200, undefined]);
    expect([(await find(member.id))?.bannedAtMs, (await find(colleague.id))?.roleType]).toEqual([null, 6]);
    expect((await find(banned.id))?.bannedAtMs).not.toBeNull();
  });

  it('changes the label of a base role only with authority in every account of the member', async () => {
    await using admin = await startService(createApp, { dialect: inject('dialect'), application: 'admin' });
    const { database } = admin;
    const staff = await insertTestMember(database, { roleType: 6, isPersonnel: true });
    const at = { createdAtMs: 1, updatedAtMs: 1 };
    const { personnelGrants } = database.tables;
    await database.insert(personnelGrants, { personnelId: staff.id, accountId: 1, ...at });
    const here = await insertTestMember(database, { roleType: 5, memberships: { 1: 5 } });
    const elsewhere = await insertTestMember(database, { roleType: 5, memberships: { 1: 5, 2: 5 } });
    const change = async (memberId: number, fields: object) => {
      const body = { memberId, ...fields };
      return (await admin.send('/v1/member/update', { token: staff.token, body })).status;
    };
    expect(await change(here.id, { role: 'Printer' })).toBe(200);
    expect(await change(elsewhere.id, { role: 'Owner of everything' })).toBe(403);
    expect(await change(elsewhere.id, { roleType: 3 })).toBe(403);
    expect(await change(elsewhere.id, { firstName: 'Ada' })).toBe(200);
  });
});
