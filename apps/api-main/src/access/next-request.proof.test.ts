import { dummyHash } from '@gatehouse/auth-core';
import {
  type AccessTransaction,
  changeAccess,
  type Database,
  endAllSessions,
  removeAccount,
  removeMember,
  removeMembership,
  removePersonnelGrant,
  setMemberRole,
  setMembership,
  setPassword,
} from '@gatehouse/db';
import {
  createTestDatabase,
  insertTestMember,
  printFigures,
  rounds,
  seedTestDatabase,
  spawnService,
  startHammer,
  type TestMember,
  type TestMemberOptions,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

interface Loss {
  readonly name: string;
  readonly member: TestMemberOptions;
  /** Takes the access away; resolved means acknowledged. */
  take(context: {
    db: Database;
    nodes: readonly string[];
    member: TestMember;
    accountId: number;
  }): Promise<void>;
}

const manager = (accountId: number): TestMemberOptions => ({ memberships: { [accountId]: 2 } });
const granted = (accountId: number): TestMemberOptions => ({
  roleType: 6,
  isPersonnel: true,
  grants: [accountId],
});

async function post(url: string, member: TestMember): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers: { token: member.token } });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
}

function changing(
  members: (context: { member: TestMember }) => number[],
  body: (
    tx: AccessTransaction,
    context: { memberId: number; accountId: number; nowMs: number },
  ) => Promise<unknown>,
): Loss['take'] {
  return async ({ db, member, accountId }) => {
    const nowMs = Date.now();
    await changeAccess(db, { atMs: nowMs, members: members({ member }), accounts: [accountId] }, (tx) =>
      body(tx, { memberId: member.id, accountId, nowMs }),
    );
  };
}
const self = ({ member }: { member: TestMember }) => [member.id];
const nobody = () => [];

/** Every way to lose access, each by what the procedures use. */
const losses = (accountId: number): Loss[] => [
  {
    name: 'logout',
    member: manager(accountId),
    take: async ({ nodes, member }) => post(`${nodes[member.id % nodes.length]}/auth/logout`, member),
  },
  {
    name: 'logout with a token of the replaced system',
    member: { ...manager(accountId), withSession: false },
    take: async ({ nodes, member }) => post(`${nodes[member.id % nodes.length]}/auth/logout`, member),
  },
  {
    name: 'role',
    member: manager(accountId),
    take: changing(self, (tx, { memberId, nowMs }) =>
      setMembership(tx, { memberId, accountId, roleType: 5, nowMs }),
    ),
  },
  {
    name: 'membership',
    member: manager(accountId),
    take: changing(self, (tx, { memberId, nowMs }) => removeMembership(tx, { memberId, accountId, nowMs })),
  },
  {
    name: 'grant',
    member: granted(accountId),
    take: changing(self, (tx, { memberId, nowMs }) =>
      removePersonnelGrant(tx, { personnelId: memberId, accountId, nowMs }),
    ),
  },
  {
    name: 'ban',
    member: manager(accountId),
    take: changing(self, (tx, { memberId, nowMs }) =>
      setMemberRole(tx, { memberId, roleType: 11, role: 'Archived', nowMs }),
    ),
  },
  {
    name: 'deletion',
    member: manager(accountId),
    take: changing(self, (tx, { memberId, nowMs }) => removeMember(tx, { memberId, nowMs })),
  },
  {
    name: 'password',
    member: manager(accountId),
    take: changing(self, async (tx, { memberId, nowMs }) => {
      await setPassword(tx, { memberId, hash: `${dummyHash.slice(0, -1)}x`, nowMs });
      await endAllSessions(tx, memberId, { nowMs });
    }),
  },
];

describe('a loss of access', () => {
  it('is seen by every request that begins after it was acknowledged, on both nodes', {
    retry: 0,
    timeout: 900_000,
  }, async () => {
    await using own = await createTestDatabase(dialect);
    const db = own.database;
    await seedTestDatabase(db);
    await using first = await spawnService('api-main', { databaseUrl: own.url, env: { LOG_LEVEL: 'error' } });
    await using second = await spawnService('api-main', {
      databaseUrl: own.url,
      env: { LOG_LEVEL: 'error' },
    });
    const nodes = [first.url, second.url];
    const hammer = startHammer(nodes, { clients: 200, path: '/getAllMemberslist?limit=1' });
    const kinds = losses(3);
    const total = rounds({ suite: 48, prove: 1_000 });
    const startedAt = performance.now();

    const side = async (offset: number, sides: number) => {
      for (let round = offset; round < total; round += sides) {
        const kind = kinds[round % kinds.length];
        if (!kind) continue;
        const member = await insertTestMember(db, kind.member);
        const caller = { token: member.token, accountId: 3 };
        hammer.add(caller);
        await hammer.requests(60);
        await kind.take({ db, nodes, member, accountId: 3 });
        hammer.lost(caller);
      }
    };
    await Promise.all([side(0, 4), side(1, 4), side(2, 4), side(3, 4)]);
    const report = await hammer.stop();

    printFigures(`a loss of access is seen by the next request (${dialect})`, {
      rounds: total,
      ...report,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
    });
    expect(report.tooLate).toBe(0);
    expect(report.faults).toBe(0);
    expect(report.allowed).toBeGreaterThan(total);
    expect(report.refused).toBeGreaterThan(total / 4);
  });

  it('of a whole account is seen by the next request of all its members', async () => {
    await using own = await createTestDatabase(dialect);
    const db = own.database;
    await seedTestDatabase(db);
    await using node = await spawnService('api-main', { databaseUrl: own.url });
    const members = await Promise.all([1, 2, 3].map(() => insertTestMember(db, manager(3))));
    const status = async ({ token }: TestMember) =>
      (await fetch(`${node.url}/auth/me`, { headers: { token, accountid: '3' } })).status;
    expect(await Promise.all(members.map(status))).toEqual([200, 200, 200]);
    const take = changing(nobody, (tx, { nowMs }) => removeAccount(tx, { accountId: 3, nowMs }));
    for (const member of members.slice(0, 1)) await take({ db, nodes: [node.url], member, accountId: 3 });
    expect(await Promise.all(members.map(status))).toEqual([403, 403, 403]);
  });
});
