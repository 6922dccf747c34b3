import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { shutAccount } from '@gatehouse/db/queries/change-accounts';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import { removeMembership } from '@gatehouse/db/queries/memberships';
import { setPersonnelState } from '@gatehouse/db/queries/personnel';
import { removePersonnelGrant } from '@gatehouse/db/queries/personnel-grants';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { readOutbox, type TestMember, unsettled } from '@gatehouse/testkit';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import {
  type ImpersonationWorld,
  REASON,
  type Started,
  startImpersonationWorld,
} from '../test/impersonation-world.js';

const MINUTE_MS = 60_000;

async function statusOf(world: ImpersonationWorld, token: string): Promise<number[]> {
  const nodes = [world.main, world.other];
  const answers = await Promise.all(nodes.map((node) => node.send('/auth/me', { token })));
  return answers.map(({ status }) => status);
}

async function me(world: ImpersonationWorld, token: string): Promise<Record<string, unknown>> {
  const response = await world.main.send('/auth/me', { token });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

async function began(world: ImpersonationWorld, as: TestMember, input: object): Promise<Started> {
  const started = await world.start(as, input);
  expect([started.status, started.code]).toEqual([200, undefined]);
  return started;
}

const change = (
  world: ImpersonationWorld,
  body: (tx: AccessTransaction, nowMs: number) => Promise<unknown>,
  of: object,
) => changeAccess(world.db, of, (tx) => body(tx, world.nowMs()));

describe('an impersonation', () => {
  it('says who acts, why, until when and how far, in the session and its token only', async () => {
    await using world = await startImpersonationWorld();
    const subject = await world.member({ memberships: { 1: 2 } });
    const started = await began(world, world.root, { memberId: subject.id, accountId: 1, minutes: 10 });
    expect(Date.parse(started.expiresAt) - world.nowMs()).toBeLessThanOrEqual(10 * MINUTE_MS);
    expect(Date.parse(started.expiresAt) - world.nowMs()).toBeGreaterThan(9 * MINUTE_MS);
    const seen = await me(world, started.token);
    expect(seen).toMatchObject({
      member: { id: subject.id },
      actor: {
        userId: world.root.id,
        name: 'Test Member',
        reason: REASON,
        expiresAt: started.expiresAt,
        readOnly: true,
      },
    });
    expect(await me(world, subject.token)).toMatchObject({
      member: { id: subject.id },
      actor: null,
      partner: null,
    });
    const claims = jwt.verify(started.token, world.main.services.config.JWT_SECRET_KEY);
    expect(claims).toMatchObject({
      act: { userId: world.root.id, impersonationId: started.impersonationId },
    });
  });

  it('is shown to the member: in their sessions, their events and a mail in their language', async () => {
    await using world = await startImpersonationWorld();
    const { main, db, root } = world;
    const subject = await world.member();
    await main.send('/v1/profile/update', { token: subject.token, body: { locale: 'de' } });
    await began(world, root, { memberId: subject.id });
    const sessions = (await (await main.send('/auth/sessions', { token: subject.token })).json()) as {
      data: { device: string; address: string; isCurrent: boolean }[];
    };
    expect(sessions.data.map(({ device, address, isCurrent }) => [device, address, isCurrent])).toEqual([
      ['Support', '', false],
      ['test', '127.0.0.1', true],
    ]);
    const events = await main.send('/v1/securityEvent/listMine', { token: subject.token });
    const [first] = ((await events.json()) as { data: Record<string, unknown>[] }).data;
    expect(first).toMatchObject({ kind: 'impersonation.started', actor: { userId: root.id }, address: null });
    const mail = (await readOutbox(main)).find(({ to }) => to === subject.email);
    expect(mail).toMatchObject({
      kind: 'impersonationStarted',
      subject: 'Der Support hat eine Sitzung in deinem Namen gestartet',
    });
    const rows = await db.select().from(db.tables.auditLog);
    expect(rows.find(({ action }) => action === 'impersonation.started')).toMatchObject({
      actorId: root.id,
      onBehalfOfId: subject.id,
      // The reason is personal, and encrypted for the member.
      after: { readOnly: true, sealed: expect.any(String) },
    });
  });

  it('is refused for the caller themselves, staff of the same or a higher rank, the banned and the deleted', async () => {
    await using world = await startImpersonationWorld();
    const { root, manager, db } = world;
    const [banned, deleted, colleague, junior] = await Promise.all([
      world.member({ memberships: { 2: 5 } }),
      world.member({ memberships: { 2: 5 } }),
      world.member({ roleType: 0, isPersonnel: true }),
      world.member({ roleType: 5, isPersonnel: true, memberships: { 2: 5 } }),
    ]);
    await change(world, (tx, nowMs) => removeMember(tx, { memberId: deleted.id, nowMs }), {
      members: [deleted.id],
    });
    const role = { memberId: banned.id, roleType: 11, role: 'Archived' };
    await change(world, (tx, nowMs) => setMemberRole(unsettled(tx), { ...role, nowMs }), {
      members: [banned.id],
    });
    const codes = async (as: TestMember, memberIds: number[], more: object = {}) =>
      Promise.all(memberIds.map(async (memberId) => (await world.start(as, { memberId, ...more })).code));
    expect(await codes(root, [root.id, colleague.id, banned.id, deleted.id, 999_999])).toEqual([
      'permission_denied',
      'permission_denied',
      'permission_denied',
      'not_found',
      'not_found',
    ]);
    expect(await codes(root, [manager.id, junior.id])).toEqual([undefined, undefined]);
    const inAccount = { accountId: 2 };
    expect(await codes(manager, [manager.id, root.id, banned.id, deleted.id], inAccount)).toEqual([
      'not_found',
      'not_found',
      'permission_denied',
      'not_found',
    ]);
    expect(await codes(manager, [junior.id], inAccount)).toEqual(['permission_denied']);
    expect(await db.select().from(db.tables.impersonations)).toHaveLength(2);
  });

  it('requires the permission, a recently verified session and, for staff with grants, a member of a granted account', async () => {
    await using world = await startImpersonationWorld();
    const { manager, root } = world;
    const [inside, outside, plain, clerk] = await Promise.all([
      world.member({ memberships: { 2: 1 } }),
      world.member({ memberships: { 1: 5 } }),
      world.member({ memberships: { 2: 1 } }),
      world.member({ roleType: 5, isPersonnel: true, grants: [2] }),
    ]);
    const attempt = async (as: TestMember, input: object) => {
      const { status, code } = await world.start(as, input);
      return [status, code];
    };
    const subject = { memberId: inside.id };
    expect(await attempt(plain, { ...subject, accountId: 2 })).toEqual([403, 'permission_denied']);
    expect(await attempt(clerk, { ...subject, accountId: 2 })).toEqual([403, 'permission_denied']);
    expect(await attempt(manager, subject)).toEqual([400, 'invalid_input']);
    expect(await attempt(manager, { ...subject, accountId: 1 })).toEqual([404, 'not_found']);
    expect(await attempt(manager, { memberId: outside.id, accountId: 2 })).toEqual([404, 'not_found']);
    expect(await attempt(manager, { ...subject, accountId: 2, write: true })).toEqual([
      403,
      'permission_denied',
    ]);
    expect(await attempt(root, { ...subject, accountId: 3 })).toEqual([403, 'permission_denied']);
    for (const wrong of [
      { reason: 'too short' },
      { reason: 'x'.repeat(501) },
      { minutes: 4 },
      { minutes: 61 },
    ])
      expect(await attempt(root, { ...subject, ...wrong })).toEqual([400, 'invalid_input']);
    expect(await attempt(manager, { ...subject, accountId: 2 })).toEqual([200, undefined]);
    world.wait(11 * MINUTE_MS);
    expect(await attempt(root, subject)).toEqual([403, 'verification_required']);
  });

  it('is accepted only at the main service, and starts no other', async () => {
    await using world = await startImpersonationWorld();
    const { admin, root } = world;
    const staff = await world.member({ roleType: 6, isPersonnel: true, grants: [2] });
    const subject = await world.member({ memberships: { 2: 5 } });
    const { token } = await began(world, root, { memberId: staff.id });
    expect(await statusOf(world, token)).toEqual([200, 200]);
    expect((await admin.send('/auth/me', { token })).status).toBe(401);
    expect((await world.start({ token }, { memberId: subject.id, accountId: 2 })).status).toBe(401);
    expect((await world.main.send('/auth/me', { bearer: token })).status).toBe(401);
  });

  it('is over on the next request on every node, whatever ends it', async () => {
    await using world = await startImpersonationWorld();
    const { admin, main, db, root, manager } = world;
    const end = (as: TestMember, impersonationId: number) =>
      admin.send('/v1/impersonation/end', { token: as.token, body: { impersonationId } });
    const dies = (memberId: number, role: number) =>
      change(
        world,
        (tx, nowMs) => setMemberRole(unsettled(tx), { memberId, roleType: role, role: 'Other', nowMs }),
        {
          members: [memberId],
        },
      );
    interface Round extends Started {
      readonly actor: TestMember;
      readonly subject: TestMember;
      readonly accountId: number;
    }
    const ends: Record<string, (round: Round) => Promise<unknown>> = {
      'its starter': ({ actor, impersonationId }) => end(actor, impersonationId),
      root: ({ impersonationId }) => end(root, impersonationId),
      'its own sign-out': ({ token }) => main.send('/auth/logout', { token, method: 'POST' }),
      'the member, in their list': async ({ subject }) => {
        const { data } = (await (await main.send('/auth/sessions', { token: subject.token })).json()) as {
          data: { id: number; device: string }[];
        };
        const sessionId = data.find(({ device }) => device === 'Support')?.id;
        await main.send('/auth/sessions/end', { token: subject.token, body: { sessionId } });
      },
      'the member, with all others': ({ subject }) =>
        main.send('/auth/sessions/end', { token: subject.token, body: { others: true } }),
      'another one of the same starter': async ({ actor, accountId }) => {
        const next = await world.member({ memberships: { [accountId]: 5 } });
        await began(world, actor, { memberId: next.id, accountId });
      },
      'a ban of the member': ({ subject }) => dies(subject.id, 11),
      'a ban of the starter': ({ actor }) => dies(actor.id, 11),
      'the demotion of the starter': ({ actor }) => dies(actor.id, 5),
      'the dismissal of the starter': ({ actor }) =>
        change(
          world,
          (tx, nowMs) => setPersonnelState(unsettled(tx), { memberId: actor.id, isPersonnel: false, nowMs }),
          { members: [actor.id] },
        ),
      'the promotion of the member to staff': ({ subject }) =>
        change(
          world,
          (tx, nowMs) => setPersonnelState(unsettled(tx), { memberId: subject.id, isPersonnel: true, nowMs }),
          { members: [subject.id] },
        ),
      'the deletion of the member': ({ subject }) =>
        change(world, (tx, nowMs) => removeMember(tx, { memberId: subject.id, nowMs }), {
          members: [subject.id],
        }),
      'the deletion of the starter': ({ actor }) =>
        change(world, (tx, nowMs) => removeMember(tx, { memberId: actor.id, nowMs }), {
          members: [actor.id],
        }),
      'the end of the grant': ({ actor, accountId }) =>
        change(
          world,
          (tx, nowMs) => removePersonnelGrant(unsettled(tx), { personnelId: actor.id, accountId, nowMs }),
          {
            members: [actor.id],
          },
        ),
      'the end of the membership': ({ subject, accountId }) =>
        change(world, (tx, nowMs) => removeMembership(tx, { memberId: subject.id, accountId, nowMs }), {
          members: [subject.id],
        }),
      'the end of every session of the starter': ({ actor }) =>
        change(
          world,
          (tx, nowMs) => endAllSessions(tx, actor.id, { nowMs, reason: 'revoked', endedById: null }),
          { members: [actor.id] },
        ),
      'the end of the account': ({ accountId }) =>
        change(
          world,
          (tx, nowMs) => shutAccount(tx, { accountId, closedById: 1, erasesAtMs: nowMs, nowMs }),
          { accounts: [accountId] },
        ),
    };
    for (const [name, take] of Object.entries(ends)) {
      const at = { createdAtMs: 1, updatedAtMs: 1 };
      const row = { name, nameKey: name, ownerId: 1, ...at };
      const accountId = await db.insert(db.tables.accounts, row);
      const actor = await world.member({ roleType: 6, isPersonnel: true, grants: [accountId] });
      const subject = await world.member({ memberships: { [accountId]: 2 } });
      const started = await began(world, actor, { memberId: subject.id, accountId });
      expect([name, await statusOf(world, started.token)]).toEqual([name, [200, 200]]);
      await take({ ...started, actor, subject, accountId });
      expect([name, await statusOf(world, started.token)]).toEqual([name, [401, 401]]);
      const listed = await admin.send('/v1/impersonation/list', {
        token: root.token,
        body: { memberId: subject.id },
      });
      expect([name, await listed.json()]).toMatchObject([
        name,
        { data: [{ id: started.impersonationId, active: false }] },
      ]);
    }

    const subject = await world.member();
    const timed = await began(world, root, { memberId: subject.id, minutes: 5 });
    world.wait(5 * MINUTE_MS - 2_000);
    expect(await statusOf(world, timed.token)).toEqual([200, 200]);
    world.wait(2_000);
    expect(await statusOf(world, timed.token)).toEqual([401, 401]);
    expect((await world.start(manager, { memberId: subject.id, accountId: 2 })).status).toBe(404);
  });

  it('can be ended only by those who may end it, and only once', async () => {
    await using world = await startImpersonationWorld();
    const { admin, root, manager, db } = world;
    const subject = await world.member({ memberships: { 2: 5 } });
    const { token, impersonationId } = await began(world, root, { memberId: subject.id });
    const end = async (as: TestMember) =>
      (await admin.send('/v1/impersonation/end', { token: as.token, body: { impersonationId } })).status;
    expect(await end(manager)).toBe(404);
    expect(await end(subject)).toBe(403);
    expect(await statusOf(world, token)).toEqual([200, 200]);
    expect([await end(root), await end(root)]).toEqual([200, 200]);
    const rows = await db.select().from(db.tables.auditLog);
    expect(rows.filter(({ action }) => action === 'impersonation.ended')).toHaveLength(1);
  });

  it('never reaches more than the actor does, whatever the member may do', async () => {
    await using world = await startImpersonationWorld();
    const { main, manager } = world;
    const owner = await world.member({ memberships: { 1: 1, 2: 1 } });
    const { token } = await began(world, manager, { memberId: owner.id, accountId: 2 });
    const seen = (await (await main.send('/auth/me', { token, accountId: 2 })).json()) as {
      memberships: { accountId: number; permissions: string[] }[];
    };
    expect(seen.memberships.map(({ accountId }) => accountId)).toEqual([2]);
    expect(seen.memberships[0]?.permissions).not.toContain('billing.manage');
    const call = async (path: string, accountId?: number) =>
      (await main.send(path, { token, ...(accountId === undefined ? {} : { accountId }) })).status;
    expect(await call('/getAllMemberslist', 2)).toBe(200);
    expect(await call('/getAllMemberslist', 1)).toBe(403);
    expect(await call('/v1/billing/plans', 2)).toBe(403);
    const listed = (await (await main.send('/v1/account/listMine', { token })).json()) as {
      data: { id: number }[];
    };
    expect(listed.data.map(({ id }) => id)).toEqual([2]);
  });
});
