import { readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from '../../test/people-world.js';
import { PASSWORD, type SupportWorld, startSupportWorld } from '../../test/support-world.js';

const HOUR_MS = 3_600_000;

async function invite(world: SupportWorld, name: string, more: { active?: boolean } = {}) {
  const email = `${name}@gatehouse.test`;
  const person = { email, firstName: 'Nora', lastName: 'Lind', roleType: 6, accountIds: [2], ...more };
  const { data } = await world.call('personnel.save', person, world.root);
  return { email, personnelId: (data as { id: number }).id };
}

const linksTo = async (world: SupportWorld, email: string) =>
  (await readOutbox(world.main)).filter(({ to, kind }) => to === email && kind === 'staffInvitation');

const setPassword = async (world: SupportWorld, token: string | undefined) =>
  (await world.main.send('/resetPassword', { body: { token, password: PASSWORD } })).status;

describe('an invitation to the staff', () => {
  it('is one mail, whose link sets the password and confirms the address, once', async () => {
    await using world = await startSupportWorld();
    const { email, personnelId } = await invite(world, 'nora');
    const mails = (await readOutbox(world.main)).filter(({ to }) => to === email);
    expect(mails.map(({ kind }) => kind)).toEqual(['staffInvitation']);
    const [mail] = mails;
    expect(mail?.text).toContain('/reset?token=');
    expect(mail?.text).toContain('/console/');
    expect(mail?.html).toContain('72');
    const page = await world.main.send(`/reset?token=${mail?.token}`);
    expect([page.status, (await page.text()).includes(email)]).toEqual([200, true]);
    const statuses = await Promise.all([1, 2, 3].map(() => setPassword(world, mail?.token)));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403, 403]);
    const token = (await world.signIn(email, world.admin)) ?? '';
    expect(await world.statuses({ token, accountId: 2 })).toEqual([200, 200, 200]);
    const shown = await world.call('personnel.detail', { personnelId }, world.root);
    expect(shown.data).toMatchObject({ emailVerified: true, pendingEmail: null });
  });

  it('is mailed again until they join, and the first link that is used voids the others', async () => {
    await using world = await startSupportWorld();
    for (const transport of TRANSPORTS) {
      const { email, personnelId } = await invite(world, `again-${transport}`);
      const again = await world.call('personnel.reinvite', { personnelId }, world.root, { transport });
      expect(again.status).toBe(200);
      const [second, first] = await linksTo(world, email);
      expect([await setPassword(world, second?.token), await setPassword(world, first?.token)]).toEqual([
        200, 403,
      ]);
      const late = await world.call('personnel.reinvite', { personnelId }, world.root, { transport });
      expect([late.status, late.code]).toEqual([409, 'invitation_used']);
      const filter = { subjectKind: 'member', subjectId: String(personnelId), action: 'personnel.reinvited' };
      expect((await world.call('audit.list', filter, world.root)).data).toMatchObject([{ after: { email } }]);
    }
  });

  it('goes to the corrected address, and is void at the former one', async () => {
    await using world = await startSupportWorld();
    for (const transport of TRANSPORTS) {
      const { email: wrong, personnelId } = await invite(world, `mistyped-${transport}`);
      const right = `right-${transport}@gatehouse.test`;
      const taken = { personnelId, email: world.root.email };
      expect((await world.call('personnel.save', taken, world.root, { transport })).code).toBe('email_taken');
      const fixed = { personnelId, email: right };
      const answer = await world.call('personnel.save', fixed, world.root, { transport });
      expect(answer.data).toMatchObject({ email: right, pendingEmail: null, emailVerified: false });
      expect((await world.call('personnel.reinvite', { personnelId }, world.root)).status).toBe(200);
      const [old] = await linksTo(world, wrong);
      const [again, first] = await linksTo(world, right);
      expect(await setPassword(world, old?.token)).toBe(403);
      await world.main.send('/forgotPassword', { body: { email: wrong } });
      expect(await linksTo(world, wrong)).toHaveLength(1);
      const mails = (await readOutbox(world.main)).filter(({ to }) => to === wrong);
      expect(mails.map(({ kind }) => kind)).toEqual(['staffInvitation']);
      expect([await setPassword(world, first?.token), await setPassword(world, again?.token)]).toEqual([
        200, 403,
      ]);
      expect(await world.signIn(right, world.admin)).toBeDefined();
      const filter = { subjectKind: 'member', subjectId: String(personnelId), action: 'personnel.changed' };
      expect((await world.call('audit.list', filter, world.root)).data).toMatchObject([
        { before: { email: wrong }, after: { email: right } },
      ]);
    }
  });

  it('goes to the corrected address whichever procedure corrects it, even before they are switched on', async () => {
    await using world = await startSupportWorld();
    const { email: wrong, personnelId } = await invite(world, 'by-update', { active: false });
    const right = 'by-update-right@gatehouse.test';
    const fixed = { memberId: personnelId, email: right };
    expect((await world.call('member.update', fixed, world.root)).status).toBe(200);
    await world.call('personnel.save', { personnelId, active: true }, world.root);
    expect(await setPassword(world, (await linksTo(world, wrong))[0]?.token)).toBe(403);
    expect((await world.call('personnel.reinvite', { personnelId }, world.root)).status).toBe(200);
    expect(await linksTo(world, wrong)).toHaveLength(1);
    expect(await setPassword(world, (await linksTo(world, right))[0]?.token)).toBe(200);
  });

  it('is not sent to staff who have a password but have not signed in here yet', async () => {
    await using world = await startSupportWorld();
    const { members } = world.db.tables;
    const { email, personnelId } = await invite(world, 'imported');
    await world.db.write(world.db.update(members).set({ hasPassword: true }));
    const moved = { personnelId, email: 'imported-new@gatehouse.test' };
    const answer = await world.call('personnel.save', moved, world.root);
    expect(answer.data).toMatchObject({ email, pendingEmail: 'imported-new@gatehouse.test' });
    const told = (await readOutbox(world.main)).filter(({ to }) => to === email);
    expect(told.map(({ kind }) => kind)).toContain('addressChanging');
  });

  it('is refused together with the correction once an address has reached its limit of invitations', async () => {
    await using world = await startSupportWorld();
    const { personnelId } = await invite(world, 'fro');
    const codes = [];
    for (let round = 0; round < 6; round += 1) {
      for (const name of ['to', 'fro']) {
        const change = { personnelId, email: `${name}@gatehouse.test` };
        codes.push((await world.call('personnel.save', change, world.root)).code);
      }
    }
    expect(codes.indexOf('rate_limited')).toBe(9);
  });

  it('becomes invalid after 72 hours, and when the person is removed', async () => {
    await using world = await startSupportWorld();
    const { email, personnelId } = await invite(world, 'late');
    const gone = await invite(world, 'gone');
    await world.call('member.ban', { memberId: gone.personnelId }, world.root);
    expect(await setPassword(world, (await linksTo(world, gone.email))[0]?.token)).toBe(403);
    world.wait(72 * HOUR_MS - 60_000);
    const [mail] = await linksTo(world, email);
    expect((await world.main.send(`/reset?token=${mail?.token}`)).status).toBe(200);
    world.wait(120_000);
    expect(await setPassword(world, mail?.token)).toBe(403);
    const again = { token: (await world.signIn(world.root.email)) ?? '' };
    expect((await world.call('personnel.reinvite', { personnelId }, again)).status).toBe(200);
    expect(await setPassword(world, (await linksTo(world, email))[0]?.token)).toBe(200);
  });

  it('requires personnel.manage, goes only to staff, and at most five times an hour', async () => {
    await using world = await startSupportWorld();
    const member = await world.member({ memberships: { 2: 5 } });
    const { personnelId } = await invite(world, 'often');
    for (const transport of TRANSPORTS) {
      const how = { transport };
      expect((await world.call('personnel.reinvite', { personnelId }, world.manager, how)).code).toBe(
        'permission_denied',
      );
      expect((await world.call('personnel.reinvite', { personnelId: member.id }, world.root, how)).code).toBe(
        'not_found',
      );
      expect((await world.call('personnel.reinvite', { personnelId: 999_999 }, world.root, how)).code).toBe(
        'not_found',
      );
    }
    const codes = [];
    for (let count = 0; count < 5; count += 1) {
      codes.push((await world.call('personnel.reinvite', { personnelId }, world.root)).code);
    }
    expect(codes).toEqual([undefined, undefined, undefined, undefined, 'rate_limited']);
    await world.call('personnel.save', { personnelId, active: false }, world.root);
    expect((await world.call('personnel.reinvite', { personnelId }, world.root)).code).toBe('not_found');
  });
});
