import { createApp } from '@gatehouse/api-main/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findAccountState } from '@gatehouse/db/queries/find-account-state';
import { findMembership, setMembership } from '@gatehouse/db/queries/memberships';
import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  type RunningService,
  rounds,
  seedTestDatabase,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { INVITATION_TRANSPORTS, outcomeOf } from '../test/invitation-call.js';
import { confirmTestMember, insertTestAccount, insertTestInvitation, linkOf } from '../test/invitations.js';

const dialect = inject('dialect');

/** Counts forbidden outcomes, so it is not retried. */
const OPTIONS = { timeout: 600_000 };

const AT_ONCE = 50;

const PASSWORD = 'Analytical-Engine-1843';

/** Two nodes over one database. */
async function start() {
  const own = await createTestDatabase(dialect);
  const { database } = own;
  await seedTestDatabase(database);
  const env = { REGISTRATIONS_PER_ADDRESS: '100000' };
  const begin = () => startService(createApp, { dialect, application: 'web', database, env });
  const [first, second] = [await begin(), await begin()];
  const nodes: readonly RunningService[] = [first, second];
  return {
    database,
    first,
    /** Each call goes to the next node, over the next transport. */
    async call(turn: number, caller: object, name: string, input: object): Promise<string> {
      const node = nodes[turn % nodes.length];
      const [, call] = INVITATION_TRANSPORTS[Math.floor(turn / nodes.length) % 2] ?? [];
      if (!node || !call) throw new Error('every turn has a node and a transport');
      return outcomeOf(await call(node, caller, name, input));
    },
    /** An account with an owner who may invite, and an invitation by them. */
    async invited(email?: string) {
      const owner = await insertTestMember(database);
      await confirmTestMember(database, owner);
      const accountId = await insertTestAccount(database, owner.id);
      await changeAccess(database, { members: [owner.id] }, (tx) =>
        setMembership(tx, { memberId: owner.id, accountId, roleType: 1, nowMs: Date.now() }),
      );
      const invitation = { accountId, inviterId: owner.id, ...(email === undefined ? {} : { email }) };
      const invitationId = await insertTestInvitation(database, invitation);
      const token = await linkOf(first, invitationId);
      return { accountId, invitationId, token, owner: { token: owner.token, accountId } };
    },
    async membersOf(accountId: number): Promise<number> {
      const rows = await database.select().from(database.tables.memberships);
      return rows.filter((row) => row.accountId === accountId && !row.isDeleted).length;
    },
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    },
  };
}

const atOnce = <Outcome>(count: number, one: (turn: number) => Promise<Outcome>): Promise<Outcome[]> =>
  Promise.all(Array.from({ length: count }, (_, turn) => one(turn)));

describe('concurrent calls about invitations on two nodes', () => {
  it('make one membership from fifty acceptances', OPTIONS, async () => {
    await using world = await start();
    const { database, call } = world;
    for (let round = 0; round < rounds({ suite: 2, stress: 50 }); round += 1) {
      const member = await insertTestMember(database);
      await confirmTestMember(database, member);
      const { accountId, invitationId, token } = await world.invited(member.email);
      const outcomes = await atOnce(AT_ONCE, (turn) =>
        call(turn, { token: member.token }, 'accept', turn % 3 === 0 ? { invitationId } : { token }),
      );
      expect(new Set(outcomes)).toEqual(new Set(['200']));
      expect(await world.membersOf(accountId)).toBe(2);
      const lines = await database.select().from(database.tables.auditLog);
      const accepted = lines.filter(
        ({ action, subjectId }) => action === 'invitation.accepted' && subjectId === String(invitationId),
      );
      expect(accepted).toHaveLength(1);
    }
  });

  it('make one member from fifty joins through the same link', OPTIONS, async () => {
    await using world = await start();
    const { database, call } = world;
    const email = 'ada@lovelace.test';
    const { accountId, token } = await world.invited(email);
    const outcomes = await atOnce(AT_ONCE, (turn) =>
      call(turn, {}, 'join', { token, username: `ada-${turn}`, password: PASSWORD }),
    );
    expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(1);
    const others = new Set(outcomes.filter((outcome) => outcome !== '200'));
    expect(['409 invitation_used', '409 sign_in_required']).toEqual(expect.arrayContaining([...others]));
    const members = await database.select().from(database.tables.members);
    expect(members.filter((row) => row.email === email)).toHaveLength(1);
    expect(await world.membersOf(accountId)).toBe(2);
  });

  it('let the first of a revocation and an acceptance win, even beside a decline', OPTIONS, async () => {
    await using world = await start();
    const { database, call } = world;
    const won = { revoke: 0, accept: 0, join: 0 };
    let refused = 0;
    for (let round = 0; round < rounds({ suite: 30, stress: 500 }); round += 1) {
      const isNew = round % 2 === 0;
      const member = await insertTestMember(database);
      await confirmTestMember(database, member);
      const email = isNew ? `new-${round}@x.test` : member.email;
      const { accountId, invitationId, token, owner } = await world.invited(email);
      const answer = isNew ? 'join' : 'accept';
      const input = isNew ? { token, username: `new-${round}`, password: PASSWORD } : { token };
      const caller = isNew ? {} : { token: member.token };
      const [revoked, declined, answered] = await Promise.all([
        call(round, owner, 'revoke', { invitationId }),
        call(round + 1, {}, 'decline', { token }),
        call(round + 2, caller, answer, input),
      ]);
      const winners = Object.entries({ revoke: revoked, [answer]: answered })
        .filter(([, outcome]) => outcome === '200')
        .map(([name]) => name);
      expect(winners).toHaveLength(1);
      const [winner] = winners;
      expect(['revoke', 'accept', 'join']).toContain(winner);
      if (declined === '200') refused += 1;
      won[winner as keyof typeof won] += 1;
      const lost = [revoked, declined, answered].filter((outcome) => outcome !== '200');
      expect(['409 invitation_used', '409 invitation_revoked']).toEqual(expect.arrayContaining(lost));
      expect(await world.membersOf(accountId)).toBe(winner === answer ? 2 : 1);
    }
    printMeasurements('the first answer to an invitation counts', { ...won, refused });
  });

  it('make one invitation when an address is invited fifty times', OPTIONS, async () => {
    await using world = await start();
    const { database, call } = world;
    const { accountId, owner } = await world.invited();
    const outcomes = await atOnce(AT_ONCE, (turn) =>
      call(turn, owner, 'create', { email: turn % 2 ? 'one@x.test' : 'ONE@X.test', roleType: 5 }),
    );
    expect(new Set(outcomes)).toEqual(new Set(['200']));
    const rows = await database.select().from(database.tables.invitations);
    expect(rows.filter((row) => row.accountId === accountId && row.emailKey === 'one@x.test')).toHaveLength(
      1,
    );
    const mails = await database.select().from(database.tables.mailOutbox);
    expect(mails.filter(({ kind }) => kind === 'invitation')).toHaveLength(5);
  });

  it('make at most a hundred invitations', OPTIONS, async () => {
    await using world = await start();
    const { database, call } = world;
    const { accountId, owner } = await world.invited();
    const outcomes: string[] = [];
    for (let wave = 0; wave < 6; wave += 1) {
      const answers = await atOnce(20, (turn) =>
        call(turn, owner, 'create', { email: `a${wave}-${turn}@x.test`, roleType: 5 }),
      );
      outcomes.push(...answers);
    }
    expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(99);
    expect(new Set(outcomes)).toEqual(new Set(['200', '409 invitation_limit']));
    const rows = await database.select().from(database.tables.invitations);
    expect(rows.filter((row) => row.accountId === accountId)).toHaveLength(100);
  });

  it('fail in an account that closes meanwhile, and nobody joins', OPTIONS, async () => {
    await using world = await start();
    const { database, call } = world;
    for (let round = 0; round < rounds({ suite: 15, stress: 300 }); round += 1) {
      const member = await insertTestMember(database);
      await confirmTestMember(database, member);
      const { accountId, token, owner } = await world.invited(member.email);
      const name = (await findAccountState(database, accountId))?.name;
      const closing = world.first.send('/v1/account/close', { ...owner, body: { name } });
      const [created, accepted, closed] = await Promise.all([
        call(round, owner, 'create', { email: 'late@x.test', roleType: 5 }),
        call(round + 1, { token: member.token }, 'accept', { token }),
        closing,
      ]);
      expect(closed.status).toBe(200);
      expect(['200', '403 account_forbidden']).toContain(created);
      expect(['200', '409 invitation_revoked', '409 invitation_void']).toContain(accepted);
      const rows = await database.select().from(database.tables.invitations);
      const open = rows.filter((row) => row.accountId === accountId && row.status === 'open');
      expect(open).toEqual([]);
      const place = { memberId: member.id, accountId };
      expect((await findMembership(database, place)) !== undefined).toBe(accepted === '200');
      expect(await call(round, { token: member.token }, 'accept', { token })).not.toBe('200');
    }
  });
});
