import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '@gatehouse/api-main/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { insertPartnerMember } from '@gatehouse/db/queries/partner-members';
import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  rounds,
  seedTestDatabase,
  startService,
  type TestMember,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { confirmTestMember, insertTestAccount, insertTestInvitation, linkOf } from '../test/invitations.js';

const dialect = inject('dialect');

/** Counts forbidden outcomes, so it is not retried. */
const OPTIONS = { timeout: 900_000 };

const PARTNER = 1;

/** Two nodes over one database. */
async function start() {
  const own = await createTestDatabase(dialect);
  const { database } = own;
  await seedTestDatabase(database);
  const env = { REGISTRATIONS_PER_ADDRESS: '100000', MAIL_REQUESTS_PER_ADDRESS: '100000' };
  const begin = () => startService(createApp, { dialect, application: 'web', database, env });
  const [first, second] = [await begin(), await begin()];
  const { accounts, invitations, partnerMembers } = database.tables;

  return {
    database,
    nodes: [first, second] as const,
    /** A member whose address was clicked and not proven, with an account of their own that a second member is in. */
    async planted() {
      const planter = await insertTestMember(database, { isConfirmed: true, isProven: false });
      const accountId = await insertTestAccount(database, planter.id);
      const accomplice = await insertTestMember(database);
      await confirmTestMember(database, accomplice);
      await changeAccess(database, { members: [planter.id, accomplice.id] }, async (tx) => {
        const at = { accountId, nowMs: Date.now() };
        await setMembership(tx, { ...at, memberId: planter.id, roleType: 1 });
        await setMembership(tx, { ...at, memberId: accomplice.id, roleType: 2 });
        await insertPartnerMember(tx, { partnerId: PARTNER, memberId: planter.id, nowMs: Date.now() });
      });
      return { planter, accomplice, accountId };
    },
    /** The link of a password reset to a member. */
    resetOf({ id: userId, email }: TestMember): string {
      const claims = { type: 'passwordReset', userId, email, passwordChangedAtMs: null } as const;
      return first.services.tokens.sealOneUse(claims, 600).token;
    },
    /** An invitation by one of them, and its link. */
    async inviting(accountId: number, inviterId: number, email: string) {
      const id = await insertTestInvitation(database, { accountId, inviterId, email });
      return { id, link: await linkOf(first, id) };
    },
    /** How many memberships of others are active in an account, and how many invitations of a member are open. */
    async left({ accountId, planter }: { accountId: number; planter: TestMember }) {
      const places = await database.select().from(database.tables.memberships);
      const open = await database.select().from(invitations);
      const links = await database.select().from(partnerMembers);
      const held = await database.select().from(accounts);
      return {
        on: places.filter(
          (row) => row.accountId === accountId && row.memberId !== planter.id && row.active && !row.isDeleted,
        ).length,
        open: open.filter(({ inviterId, status }) => inviterId === planter.id && status === 'open').length,
        links: links.filter(({ memberId, heldSinceMs }) => memberId === planter.id && heldSinceMs === null)
          .length,
        accounts: held.filter(({ ownerId }) => ownerId === planter.id).length,
      };
    },
    async [Symbol.asyncDispose]() {
      for (const node of [first, second]) await node[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    },
  };
}

describe('a takeover on one node', () => {
  it(
    'keeps out everybody whom the attacker or an accomplice admits on the other node at that moment',
    OPTIONS,
    async () => {
      await using world = await start();
      const { database, nodes } = world;
      const wrong: unknown[] = [];
      const won = { takeover: 0, acceptance: 0 };
      const size = { suite: 20, stress: 200 };
      const count = rounds(size);
      let resetMs = 100;
      for (let round = 0; round < count; round += 1) {
        const [node, other] = round % 2 === 0 ? nodes : [nodes[1], nodes[0]];
        const planted = await world.planted();
        const { planter, accomplice, accountId } = planted;
        const guest = await insertTestMember(database);
        await confirmTestMember(database, guest);
        const inviter = round % 4 < 2 ? planter : accomplice;
        const { link } = await world.inviting(accountId, inviter.id, guest.email);
        const newcomer = await world.inviting(accountId, planter.id, `new-${round}@x.test`);
        const send = (on: typeof node, path: string, body: object, token?: string) =>
          on.send(path, { body, ...(token === undefined ? {} : { token }) });
        const password = 'Velvet-Meadow-31';
        const join = { token: newcomer.link, username: `new-${round}`, password };
        const startedAt = performance.now();
        // A reset first hashes the password, so the others begin somewhere between its start and its end.
        const later = pause(((round * 3) % 11) * 0.15 * resetMs);
        const [reset, accepted, , , invited] = await Promise.all([
          send(node, '/resetPassword', { token: world.resetOf(planter), password }).finally(() => {
            resetMs = performance.now() - startedAt;
          }),
          later.then(() => send(other, '/v1/invitation/accept', { token: link }, guest.token)),
          later.then(() => send(other, '/v1/invitation/join', join)),
          later.then(() => send(other, '/v1/account/create', { name: `Second ${round}` }, planter.token)),
          later.then(() =>
            other.send('/v1/invitation/create', {
              body: { email: `more-${round}@x.test`, roleType: 5 },
              token: planter.token,
              accountId,
            }),
          ),
        ]);
        won[accepted.status === 200 ? 'acceptance' : 'takeover'] += 1;
        const left = await world.left(planted);
        const isRight =
          reset.status === 200 &&
          [200, 401, 409].includes(accepted.status) &&
          [200, 401].includes(invited.status) &&
          left.on === 0 &&
          left.open === 0 &&
          left.links === 0;
        if (!isRight) wrong.push({ round, reset: reset.status, accepted: accepted.status, left });
      }
      printMeasurements('a take-over against invitations', { rounds: count, ...won, wrong: wrong.length });
      expect(wrong).toEqual([]);
      if (count === size.stress) expect(Math.min(won.takeover, won.acceptance)).toBeGreaterThan(count / 20);
    },
  );

  it("lets no partner's login token begin a session that outlives it", OPTIONS, async () => {
    await using world = await start();
    const { nodes, database } = world;
    let wrong = 0;
    const count = rounds({ suite: 10, stress: 200 });
    for (let round = 0; round < count; round += 1) {
      const { planter } = await world.planted();
      const claims = {
        type: 'partnerLogin',
        userId: planter.id,
        role: null,
        defaultPaymentId: null,
        accountIds: [],
        partnerId: PARTNER,
        sessionEpoch: 0,
      } as const;
      const { token } = nodes[0].services.tokens.sealOneUse(claims, 600);
      const ends = round % 2 === 0;
      if (ends) await confirmTestMember(database, planter);
      const end = ends
        ? nodes[0].send('/v1/partner/endLink', { body: { partnerId: PARTNER }, token: planter.token })
        : nodes[0].send('/resetPassword', {
            body: { token: world.resetOf(planter), password: 'Velvet-Meadow-31' },
          });
      const [ended, begun] = await Promise.all([
        end,
        nodes[1].send('/webauthenticate', { body: { tempLogin: true, token } }),
      ]);
      expect(ended.status).toBe(200);
      if (begun.status !== 200) continue;
      const session = ((await begun.json()) as { token: string }).token;
      for (const node of nodes)
        if ((await node.send('/auth/me', { token: session })).status !== 401) wrong += 1;
    }
    expect(wrong).toBe(0);
    printMeasurements('an end of a partner against its sign-on', { rounds: count, wrong });
  });
});

describe('two decisions about the same person', () => {
  it('have one outcome when they are made on two nodes', OPTIONS, async () => {
    await using world = await start();
    const { nodes, database } = world;
    const outcomes = { kept: 0, removed: 0 };
    const count = rounds({ suite: 10, stress: 200 });
    for (let round = 0; round < count; round += 1) {
      const { planter, accountId } = await world.planted();
      const { id: memberId } = await insertTestMember(database);
      const held = { roleType: 2, active: false, heldSinceMs: 1, createdAtMs: 1, updatedAtMs: 1 };
      const membershipId = await database.insert(database.tables.memberships, {
        memberId,
        accountId,
        ...held,
      });
      const answers = await Promise.all(
        [true, false, true, false].map((keep, turn) =>
          nodes[turn % 2 === 0 ? 0 : 1].send('/v1/takeover/decide', {
            body: { membershipId, keep },
            token: planter.token,
          }),
        ),
      );
      const [yes, no] = [answers.filter((_, at) => at % 2 === 0), answers.filter((_, at) => at % 2 === 1)];
      const isImpersonationActive =
        (await findMembership(database, { memberId, accountId }))?.active === true;
      outcomes[isImpersonationActive ? 'kept' : 'removed'] += 1;
      expect((isImpersonationActive ? no : yes).map(({ status }) => status)).toEqual([404, 404]);
      expect((isImpersonationActive ? yes : no).map(({ status }) => status)).toContain(200);
    }
    printMeasurements('decisions at once', { rounds: count, ...outcomes });
  });
});
