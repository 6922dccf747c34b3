import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertPartnerMember, setPartnerConsent } from '@gatehouse/db/queries/partner-members';
import { insertTestMember, readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { exchange, partnerClient } from '../test/partner-client.js';
import {
  type PlantedWorld,
  type Registered,
  startPlantedWorld,
  WAYS_TO_PROVE,
} from '../test/planted-world.js';

const VICTIM = 'victim@world.test';

const PARTNER = 1;

interface HeldList {
  readonly data: readonly { id: number; accountId: number; memberId: number; roleType: number }[];
  readonly partners: readonly { partnerId: number }[];
}

/** An address that a person registered in advance, and what they made there with an accomplice and a partner. */
async function plant(world: PlantedWorld) {
  const planter = await world.register(VICTIM);
  await world.click(VICTIM);
  const accomplice = await world.register('accomplice@evil.test');
  await world.confirm(accomplice);
  const as = { token: planter.token, accountId: planter.accountId };
  await world.call('invitation.create', { email: accomplice.email, roleType: 2 }, as);
  const link = await world.mailed('invitation', accomplice.email);
  await world.call('invitation.accept', { token: link }, { token: accomplice.token });
  // An owner who was admitted did not create the account.
  await world.call('invitation.create', { email: 'later@evil.test', roleType: 5 }, as);
  const { database } = world.service;
  await changeAccess(database, { members: [planter.userId] }, async (tx) => {
    const partner = { memberId: planter.userId, partnerId: PARTNER, nowMs: Date.now() };
    await insertPartnerMember(tx, partner);
    await setPartnerConsent(tx, { ...partner, consents: true });
  });
  return { planter, accomplice };
}

const heldOf = (world: PlantedWorld, token: string) => world.call<HeldList>('takeover.list', {}, { token });

/** Whether a member may act in an account, on either node. */
const reach = async (world: PlantedWorld, { token }: Pick<Registered, 'token'>, accountId: number) =>
  Promise.all(
    [world.service, world.other].map(
      async (node) => (await node.send('/auth/me', { token, accountId })).status,
    ),
  );

describe.each(WAYS_TO_PROVE)('a member taken over by %s by the owner of the address', (way) => {
  it("loses the attacker's invitations and everybody they admitted, on every node", async () => {
    await using world = await startPlantedWorld();
    const { planter, accomplice } = await plant(world);
    const { accountId } = planter;
    const later = await world.mailed('invitation', 'later@evil.test');
    expect(await reach(world, accomplice, accountId)).toEqual([200, 200]);

    const token = await world.prove(VICTIM, way);
    expect(await reach(world, accomplice, accountId)).toEqual([403, 403]);
    const someone = { token: later, username: 'later', password: 'Copper-Anchor-78' };
    expect(await world.outcome('invitation.join', someone, {})).toBe('409 invitation_revoked');
    expect(await reach(world, accomplice, accomplice.accountId)).toEqual([200, 200]);
    expect(await heldOf(world, token)).toMatchObject({
      data: [{ accountId, memberId: accomplice.userId, roleType: 2 }],
      partners: [{ partnerId: PARTNER }],
    });
    const kind = way === 'a reset' ? 'passwordChanged' : 'signInsEnded';
    const told = (await readOutbox(world.service)).find((mail) => mail.kind === kind && mail.to === VICTIM);
    expect(told?.text).toContain('Your start page asks about each of them');
    const lines = await world.service.database.select().from(world.service.database.tables.auditLog);
    expect(lines.filter(({ action }) => action === 'membership.held')).toMatchObject([
      { accountId, actorId: planter.userId },
    ]);

    // Members whom the owner admits from here on stay, however they join.
    await world.call(
      'takeover.decide',
      { membershipId: await onlyHeld(world, token), keep: true },
      { token },
    );
    await world.prove(VICTIM, way);
    expect(await reach(world, accomplice, accountId)).toEqual([200, 200]);
  });
});

async function onlyHeld(world: PlantedWorld, token: string): Promise<number> {
  const { data } = await heldOf(world, token);
  expect(data).toHaveLength(1);
  return data[0]?.id ?? 0;
}

describe('access that a takeover has disabled', () => {
  it('is restored when the owner approves and removed when the owner declines, once', async () => {
    await using world = await startPlantedWorld();
    const { planter, accomplice } = await plant(world);
    const { accountId } = planter;
    const token = await world.prove(VICTIM, 'a reset');
    const membershipId = await onlyHeld(world, token);
    const decide = (keep: boolean, as = token) =>
      world.outcome('takeover.decide', { membershipId, keep }, { token: as });
    expect(await decide(true, accomplice.token)).toBe('404 not_found');
    expect(await decide(true)).toBe('200');
    expect(await decide(true)).toBe('200');
    expect(await decide(false)).toBe('404 not_found');
    expect(await reach(world, accomplice, accountId)).toEqual([200, 200]);
    expect((await heldOf(world, token)).data).toEqual([]);

    await using again = await startPlantedWorld();
    const second = await plant(again);
    const owner = await again.prove(VICTIM, 'a reset');
    const no = { membershipId: await onlyHeld(again, owner), keep: false };
    expect(await again.outcome('takeover.decide', no, { token: owner })).toBe('200');
    expect(await again.outcome('takeover.decide', no, { token: owner })).toBe('404 not_found');
    expect(await reach(again, second.accomplice, second.planter.accountId)).toEqual([403, 403]);
    expect((await heldOf(again, owner)).data).toEqual([]);
    const removed = (await readOutbox(again.service)).find(({ kind }) => kind === 'removedFromAccount');
    expect(removed?.to).toBe(second.accomplice.email);
  });

  it('is decided only by the primary owner, after a recent verification', async () => {
    let nowMs = Date.now();
    await using world = await startPlantedWorld({}, () => nowMs);
    const { planter } = await plant(world);
    const token = await world.prove(VICTIM, 'a reset');
    const input = { membershipId: await onlyHeld(world, token), keep: false };
    const stranger = await world.register('stranger@world.test');
    expect(await world.outcome('takeover.decide', input, { token: stranger.token })).toBe('404 not_found');
    expect(await world.outcome('takeover.decide', input, { token: planter.token })).toBe(
      '401 unauthorized access',
    );
    nowMs += 11 * 60_000;
    expect(await world.outcome('takeover.decide', input, { token })).toBe('403 verification_required');
    for (const odd of [
      {},
      { keep: true },
      { membershipId: 1, partnerId: 1, keep: true },
      { membershipId: 1 },
    ])
      expect(await world.outcome('takeover.decide', odd, { token: stranger.token })).toMatch(/^403|^400/);
  });

  it('is not decided in a session below the level of the account', async () => {
    await using world = await startPlantedWorld();
    const { planter } = await plant(world);
    const { database } = world.service;
    const token = await world.prove(VICTIM, 'a reset');
    const membershipId = await onlyHeld(world, token);
    const { accounts } = database.tables;
    await changeAccess(database, { accounts: [planter.accountId] }, async (tx) => {
      await tx.write(tx.update(accounts).set({ requiredLevel: 2 }));
    });
    expect(await world.outcome('takeover.decide', { membershipId, keep: true }, { token })).toBe(
      '403 enrolment_required',
    );
    expect((await heldOf(world, token)).data).toEqual([]);
  });

  it('can be decided even if an accomplice made the account require a passkey that the owner does not have', async () => {
    await using world = await startPlantedWorld();
    const { planter, accomplice } = await plant(world);
    const { database } = world.service;
    await changeAccess(database, { accounts: [planter.accountId] }, (tx) =>
      setAccountPolicy(tx, {
        accountId: planter.accountId,
        nowMs: Date.now(),
        requiredLevel: 3,
        requiredFromMs: null,
        requiredUntilThen: 1,
      }),
    );
    const token = await world.prove(VICTIM, 'a reset');
    const membershipId = await onlyHeld(world, token);
    for (const node of [world.service, world.other]) {
      const at = { token, accountId: planter.accountId };
      expect(await world.outcome('account.rename', { name: `Mine ${node.url}` }, at, node)).toBe('200');
    }
    const decision = { membershipId, keep: false };
    expect(await world.outcome('takeover.decide', decision, { token })).toBe('200');
    expect(await reach(world, accomplice, planter.accountId)).toEqual([403, 403]);
    const lines = await database.select().from(database.tables.auditLog);
    expect(
      lines.filter(
        ({ action, accountId }) => action === 'account.policy-set' && accountId === planter.accountId,
      ),
    ).toMatchObject([{ actorId: planter.userId, before: { requiredLevel: 3 }, after: { requiredLevel: 1 } }]);
  });

  it("does not return with members who were deleted earlier, without the owner's approval", async () => {
    await using world = await startPlantedWorld();
    const { planter, accomplice } = await plant(world);
    await world.call('member.deleteOwn', { accounts: [] }, { token: accomplice.token });
    const restore = await world.mailed('memberDeleted', accomplice.email);
    const token = await world.prove(VICTIM, 'a reset');
    expect((await heldOf(world, token)).data).toEqual([]);
    await world.call('member.restoreOwn', { token: restore, password: 'Copper-Anchor-77' }, {});
    const back = await world.service.send('/webauthenticate', {
      body: { email: accomplice.email, password: 'Copper-Anchor-77' },
    });
    const session = (await back.json()) as { token: string };
    expect(await reach(world, session, planter.accountId)).toEqual([403, 403]);
    expect((await heldOf(world, token)).data).toMatchObject([{ memberId: accomplice.userId }]);
  });

  it('does not include accounts that others opened, or proven members', async () => {
    await using world = await startPlantedWorld();
    const planter = await world.register(VICTIM);
    await world.click(VICTIM);
    const { database } = world.service;
    const other = await insertTestMember(database, { memberships: { [planter.accountId]: 3 } });
    const { accounts } = database.tables;
    await changeAccess(database, { accounts: [planter.accountId] }, async (tx) => {
      await tx.write(tx.update(accounts).set({ openedById: other.id }));
    });
    const token = await world.prove(VICTIM, 'a reset');
    expect((await heldOf(world, token)).data).toEqual([]);
    expect(await reach(world, other, planter.accountId)).toEqual([200, 200]);

    const own = await world.register('ada@lovelace.test');
    await world.confirm(own);
    const friend = await insertTestMember(database, { memberships: { [own.accountId]: 3 } });
    const proven = await world.prove(own.email, 'a reset');
    expect((await heldOf(world, proven)).data).toEqual([]);
    expect(await reach(world, friend, own.accountId)).toEqual([200, 200]);
  });
});

describe('a partner linked before the owner of the address was proven', () => {
  it('signs nobody in until the owner approves, and its sessions end', async () => {
    await using world = await startPlantedWorld();
    const partner = await partnerClient(world.service);
    const { userId } = await partner.register({ email: VICTIM });
    const begun = await exchange(world.service, await partner.signOn({ userId }));
    const pending = await partner.signOn({ userId });
    const token = await world.prove(VICTIM, 'a reset');
    const enter = async (login: string) =>
      (await world.service.send('/webauthenticate', { body: { tempLogin: true, token: login } })).status;
    expect((await world.service.send('/auth/me', { token: begun.token })).status).toBe(401);
    expect(await enter(pending)).toBe(403);
    await expect(partner.signOn({ userId })).rejects.toThrow('loginUrl');
    expect(await world.call('partner.listMine', {}, { token })).toMatchObject({
      data: [{ partnerId: PARTNER, heldSince: expect.any(String), consentedAt: null }],
    });
    const consent = { partnerId: PARTNER, consent: true };
    const consented = await world.service.send('/auth/partners/consent', { token, body: consent });
    expect(consented.status).toBe(404);

    const decide = (keep: boolean) =>
      world.outcome('takeover.decide', { partnerId: PARTNER, keep }, { token });
    expect(await decide(true)).toBe('200');
    expect(await decide(true)).toBe('200');
    expect(await decide(false)).toBe('404 not_found');
    expect(await enter(await partner.signOn({ userId }))).toBe(200);
  });

  it('is removed for good after a refusal', async () => {
    await using world = await startPlantedWorld();
    const partner = await partnerClient(world.service);
    const { userId } = await partner.register({ email: VICTIM });
    const token = await world.prove(VICTIM, 'a reset');
    const no = { partnerId: PARTNER, keep: false };
    expect(await world.outcome('takeover.decide', no, { token })).toBe('200');
    expect(await world.outcome('takeover.decide', no, { token })).toBe('404 not_found');
    await expect(partner.signOn({ userId })).rejects.toThrow('loginUrl');
    expect(await world.call('partner.listMine', {}, { token })).toMatchObject({ data: [] });
  });
});

describe('the link to a partner', () => {
  it('is ended by the member in person, with the sessions and the pending sign-ins of the partner', async () => {
    let nowMs = Date.now();
    await using world = await startPlantedWorld({}, () => nowMs);
    const partner = await partnerClient(world.service);
    const own = await world.register('ada@lovelace.test');
    await changeAccess(world.service.database, { members: [own.userId] }, (tx) =>
      insertPartnerMember(tx, { partnerId: PARTNER, memberId: own.userId, nowMs }),
    );
    const begun = await exchange(world.service, await partner.signOn({ userId: own.userId }));
    const pending = await partner.signOn({ userId: own.userId });
    const input = { partnerId: PARTNER };
    expect(await world.outcome('partner.endLink', input, { token: begun.token })).toBe(
      '403 permission_denied',
    );
    nowMs += 11 * 60_000;
    expect(await world.outcome('partner.endLink', input, own)).toBe('403 verification_required');
    await world.call('verification.prove', { password: 'Copper-Anchor-77' }, own);
    const another = await partner.signOn({ userId: own.userId });
    expect(await world.outcome('partner.endLink', input, own, world.other)).toBe('200');
    expect(await world.outcome('partner.endLink', input, own)).toBe('404 not_found');
    for (const node of [world.service, world.other]) {
      expect((await node.send('/auth/me', { token: begun.token })).status).toBe(401);
      expect((await node.send('/auth/me', { token: own.token })).status).toBe(200);
      for (const login of [pending, another]) {
        const answer = await node.send('/webauthenticate', { body: { tempLogin: true, token: login } });
        expect(answer.status).toBe(403);
      }
    }
    await expect(partner.signOn({ userId: own.userId })).rejects.toThrow('loginUrl');
  });
});
