import { readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from '../../test/people-world.js';
import { PASSWORD, startSupportWorld } from '../../test/support-world.js';

describe('staff send mails', () => {
  it('with a link to set a new password to a member, and do not see the link in the answer', async () => {
    await using world = await startSupportWorld();
    for (const transport of TRANSPORTS) {
      const member = await world.member({ memberships: { 2: 5 } });
      const { id: memberId, email } = member;
      const how = { transport };
      expect((await world.call('member.sendReset', { memberId }, world.manager, how)).status).toBe(200);
      const [mail] = (await readOutbox(world.main)).filter(({ to }) => to === email);
      expect(mail).toMatchObject({ kind: 'passwordReset' });
      expect(await world.statuses(member)).toEqual([200, 200, 200]);
      const body = { token: mail?.token, password: `${PASSWORD}-2` };
      expect((await world.main.send('/resetPassword', { body })).status).toBe(200);
      expect((await world.main.send('/resetPassword', { body })).status).toBe(403);
      expect(await world.statuses(member)).toEqual([401, 401, 401]);
      const filter = { subjectKind: 'member', subjectId: String(memberId), action: 'member.reset-sent' };
      expect((await world.call('audit.list', filter, world.root)).data).toMatchObject([
        { actorId: world.manager.id, after: { email } },
      ]);
    }
  });

  it('with a link to confirm the current or requested address', async () => {
    await using world = await startSupportWorld();
    for (const transport of TRANSPORTS) {
      const how = { transport };
      const member = await world.member({ isConfirmed: false, memberships: { 2: 5 } });
      const { id: memberId, email } = member;
      expect((await world.call('member.sendConfirmation', { memberId }, world.manager, how)).status).toBe(
        200,
      );
      const [mail] = (await readOutbox(world.main)).filter(
        ({ to, kind }) => to === email && kind === 'activation',
      );
      const body = { token: mail?.token };
      const confirmed = await world.call('registration.confirm', body, { token: '' }, { on: world.main });
      expect(confirmed.status).toBe(200);
      const count = async () =>
        (await readOutbox(world.main)).filter(({ kind }) => kind === 'activation').length;
      const before = await count();
      expect((await world.call('member.sendConfirmation', { memberId }, world.manager, how)).status).toBe(
        200,
      );
      expect(await count()).toBe(before);

      const next = `next-${transport}@many.test`;
      const changed = await world.call('member.update', { memberId, email: next }, world.manager, how);
      expect(changed.data).toMatchObject({ email, pendingEmail: next });
      expect((await world.call('member.sendConfirmation', { memberId }, world.manager, how)).status).toBe(
        200,
      );
      expect(
        (await readOutbox(world.main)).filter(({ to, kind }) => to === next && kind === 'activation'),
      ).toHaveLength(2);
    }
  });

  it('to nobody outside their scope, to no colleagues or banned members, and to nobody without an address', async () => {
    await using world = await startSupportWorld();
    const elsewhere = await world.member({ memberships: { 1: 5 } });
    const colleague = await world.member({ isPersonnel: true, memberships: { 2: 5 } });
    const unreachable = await world.member({ isWithoutAddress: true, memberships: { 2: 5 } });
    const banned = await world.member({ memberships: { 2: 5 } });
    const deleted = await world.member({ memberships: { 2: 5 } });
    await world.call('member.ban', { memberId: banned.id }, world.root);
    await world.call('member.remove', { memberId: deleted.id }, world.root);
    const before = (await readOutbox(world.main)).length;
    for (const transport of TRANSPORTS) {
      for (const name of ['member.sendReset', 'member.sendConfirmation']) {
        const cases = [
          [elsewhere.id, 'not_found'],
          [deleted.id, 'not_found'],
          [colleague.id, 'permission_denied'],
          [unreachable.id, 'no_address'],
          [banned.id, 'invalid_input'],
        ] as const;
        for (const [memberId, code] of cases) {
          expect([
            memberId,
            (await world.call(name, { memberId }, world.manager, { transport })).code,
          ]).toEqual([memberId, code]);
        }
        const byMember = await world.call(name, { memberId: banned.id }, deleted, { transport });
        expect(byMember.status).toBe(401);
      }
    }
    expect((await readOutbox(world.main)).length).toBe(before);
  });

  it('at most five of a kind an hour to one address, independently of strangers, with the retry time', async () => {
    await using world = await startSupportWorld();
    const member = await world.member({ isConfirmed: false, memberships: { 2: 5 } });
    const { id: memberId, email } = member;
    for (let count = 0; count < 6; count += 1) {
      await world.main.send('/forgotPassword', { body: { email } });
      await world.call('registration.resendConfirmation', {}, member, { on: world.main });
    }
    for (const name of ['member.sendReset', 'member.sendConfirmation']) {
      const codes = [];
      for (let count = 0; count < 6; count += 1)
        codes.push((await world.call(name, { memberId }, world.manager)).code);
      expect([name, codes]).toEqual([name, [...Array<undefined>(5).fill(undefined), 'rate_limited']]);
      const response = await world.admin.send(`/v1/${name.replace('.', '/')}`, {
        token: world.manager.token,
        body: { memberId },
      });
      expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true]);
    }
  });
});
