import { findMembership } from '@gatehouse/db/queries/memberships';
import { readOutbox, type TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from '../../test/people-world.js';
import { type SupportWorld, startSupportWorld } from '../../test/support-world.js';

interface Shown {
  readonly id: number;
  readonly state: string;
  readonly invitedBy: { readonly id: number };
}

const inAccount = ({ token }: TestMember, accountId: number) => ({ token, accountId });

const mailsTo = async (world: SupportWorld, email: string) =>
  (await readOutbox(world.main)).filter(({ to, kind }) => to === email && kind === 'invitation');

async function statesIn(world: SupportWorld, as: TestMember, accountId: number): Promise<unknown> {
  const { data } = await world.call('invitation.list', {}, inAccount(as, accountId));
  return (data as Shown[]).map(({ state }) => state);
}

describe('staff, about an account', () => {
  it('send, resend and revoke invitations to an account they act in, as its own members do', async () => {
    await using world = await startSupportWorld();
    for (const transport of TRANSPORTS) {
      const email = `new-${transport}@many.test`;
      const as = inAccount(world.manager, 2);
      const created = await world.call('invitation.create', { email, roleType: 3 }, as, { transport });
      expect([created.status, created.data]).toMatchObject([
        200,
        { email, roleType: 3, state: 'pending', invitedBy: { id: world.manager.id } },
      ]);
      const { id: invitationId } = created.data as Shown;
      const owner = await world.member({ memberships: { 2: 1 } });
      const seenByOwner = await world.call('invitation.list', {}, inAccount(owner, 2), { on: world.main });
      expect((seenByOwner.data as Shown[])[0]).toEqual(created.data);
      const listed = await world.call('invitation.list', {}, as, { transport });
      expect((listed.data as Shown[])[0]).toEqual({
        ...(created.data as Shown),
        actions: ['resend', 'revoke'],
      });

      const early = await world.call('invitation.resend', { invitationId }, as, { transport });
      expect(early.code).toBe('rate_limited');
      world.wait(61_000);
      const resent = await world.call('invitation.resend', { invitationId }, as, {
        transport,
        on: world.otherAdmin,
      });
      expect(resent.status).toBe(200);
      const [mail] = await mailsTo(world, email);
      const guest = { token: mail?.token ?? '', username: `guest.${transport}`, password: 'Kiln-Orchard-77' };
      const joined = await world.main.send('/v1/invitation/join', { body: guest });
      const { userId: memberId } = (await joined.json()) as { userId: number };
      expect(await findMembership(world.db, { memberId, accountId: 2 })).toMatchObject({ roleType: 3 });
      for (const name of ['invitation.resend', 'invitation.revoke']) {
        const { status, code } = await world.call(name, { invitationId }, as, { transport });
        expect([name, status, code]).toEqual([name, 409, 'invitation_used']);
      }

      const other = { email: `back-${transport}@many.test`, roleType: 5 };
      const { data } = await world.call('invitation.create', other, as, { transport });
      const { id } = data as Shown;
      for (const _ of [1, 2]) {
        expect((await world.call('invitation.revoke', { invitationId: id }, as, { transport })).status).toBe(
          200,
        );
      }
      const filter = { accountId: 2, actorId: world.manager.id, action: 'invitation.revoked' };
      expect((await world.call('audit.list', filter, world.root)).data).toMatchObject([
        { subjectId: String(id), before: { status: 'open' }, after: { status: 'revoked' } },
        ...TRANSPORTS.slice(0, TRANSPORTS.indexOf(transport)).map(() => ({})),
      ]);
    }
  });

  it('see which invitation could not be mailed, while members see it like any other', async () => {
    await using world = await startSupportWorld();
    const owner = await world.member({ memberships: { 2: 1 } });
    for (let times = 0; times < 6; times += 1)
      await world.call(
        'invitation.create',
        { email: 'busy@many.test', roleType: 5 },
        inAccount(world.manager, 2),
      );
    const shownTo = async (who: TestMember, on = world.main) => {
      const { data } = await world.call('invitation.list', {}, inAccount(who, 2), { on });
      const { delivery, lastSentAt } = (data as { delivery: string; lastSentAt: string | null }[])[0] ?? {};
      return [delivery, lastSentAt];
    };
    const sentAt = expect.any(String);
    expect(await shownTo(owner)).toEqual(['queued', sentAt]);
    expect(await shownTo(world.manager, world.admin)).toEqual(['held', sentAt]);
  });

  it('reach no account without a grant, no role above theirs, and no invitation of another account', async () => {
    await using world = await startSupportWorld();
    const { root, manager } = world;
    const { data } = await world.call(
      'invitation.create',
      { email: 'there@many.test', roleType: 5 },
      inAccount(root, 1),
    );
    const foreign = (data as Shown).id;
    const toOwner = await world.call(
      'invitation.create',
      { email: 'owner2@many.test', roleType: 1 },
      inAccount(root, 2),
    );
    const member = await world.member({ memberships: { 2: 1 } });
    const unconfirmed = await world.member({
      roleType: 6,
      isPersonnel: true,
      isConfirmed: false,
      grants: [2],
    });
    const low = await world.member({ roleType: 5, isPersonnel: true, grants: [2] });
    for (const transport of TRANSPORTS) {
      const call = (name: string, input: object, as: { token: string; accountId?: number }) =>
        world.call(name, input, as, { transport }).then(({ code }) => code);
      const invite = { email: `x-${transport}@many.test`, roleType: 5 };
      for (const [name, input] of [
        ['invitation.list', {}],
        ['invitation.create', invite],
        ['invitation.resend', { invitationId: foreign }],
        ['invitation.revoke', { invitationId: foreign }],
      ] as const) {
        expect([name, await call(name, input, inAccount(manager, 1))]).toEqual([name, 'account_forbidden']);
        expect([name, await call(name, input, { token: manager.token })]).toEqual([name, 'account_required']);
        expect([name, await call(name, input, inAccount(member, 2))]).toEqual([name, 'permission_denied']);
      }
      for (const name of ['invitation.resend', 'invitation.revoke']) {
        expect(await call(name, { invitationId: foreign }, inAccount(manager, 2))).toBe('not_found');
        expect(await call(name, { invitationId: (toOwner.data as Shown).id }, inAccount(manager, 2))).toBe(
          'permission_denied',
        );
      }
      for (const roleType of [0, 1]) {
        expect(await call('invitation.create', { ...invite, roleType }, inAccount(manager, 2))).toBe(
          'permission_denied',
        );
      }
      expect(await call('invitation.create', { ...invite, roleType: 2 }, inAccount(low, 2))).toBe(
        'permission_denied',
      );
      expect(await call('invitation.create', invite, inAccount(unconfirmed, 2))).toBe('unconfirmed');
    }
    expect(await mailsTo(world, 'x-rest@many.test')).toEqual([]);
    world.wait(11 * 60_000);
    for (const transport of TRANSPORTS) {
      const owner = { email: `late-${transport}@many.test`, roleType: 1 };
      const { code } = await world.call('invitation.create', owner, inAccount(root, 2), { transport });
      expect(code).toBe('verification_required');
    }
  });

  it('make invitations that are void once they lose the grant or are banned', async () => {
    await using world = await startSupportWorld();
    const { root } = world;
    const colleague = await world.member({ roleType: 6, isPersonnel: true, grants: [2] });
    const email = 'void@many.test';
    await world.call('invitation.create', { email, roleType: 5 }, inAccount(colleague, 2));
    const [mail] = await mailsTo(world, email);
    const preview = () =>
      world.call('invitation.preview', { token: mail?.token }, { token: '' }, { on: world.main });
    expect((await preview()).status).toBe(200);
    const until = new Date(world.nowMs() + 3_600_000).toISOString();
    await world.call('member.ban', { memberId: colleague.id, until }, root);
    expect((await preview()).code).toBe('invitation_void');
    world.wait(3_600_000);
    expect((await preview()).status).toBe(200);
    await world.call('personnel.save', { personnelId: colleague.id, accountIds: [] }, root);
    expect((await preview()).code).toBe('invitation_void');
    expect(await statesIn(world, root, 2)).toContain('void');
  });
});
