import { dummyHash } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import { removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { setPassword } from '@gatehouse/db/queries/passwords';
import { removePersonnelGrant } from '@gatehouse/db/queries/personnel-grants';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import {
  type HammerReport,
  insertTestMember,
  startHammer,
  type TestMember,
  type TestMemberOptions,
  unsettled,
} from '@gatehouse/testkit';

interface Loss {
  readonly name: string;
  readonly member: TestMemberOptions;
  /** Removes the access; resolves once that is acknowledged. */
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
  body: (
    tx: AccessTransaction,
    context: { memberId: number; accountId: number; nowMs: number },
  ) => Promise<unknown>,
): Loss['take'] {
  return async ({ db, member, accountId }) => {
    const nowMs = Date.now();
    await changeAccess(db, { members: [member.id], accounts: [accountId] }, (tx) =>
      body(tx, { memberId: member.id, accountId, nowMs }),
    );
  };
}

/** Every way to lose access, by the function that the procedures use. */
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
    take: changing((tx, { memberId, nowMs }) =>
      setMembership(tx, { memberId, accountId, roleType: 5, nowMs }),
    ),
  },
  {
    name: 'membership',
    member: manager(accountId),
    take: changing((tx, { memberId, nowMs }) => removeMembership(tx, { memberId, accountId, nowMs })),
  },
  {
    name: 'grant',
    member: granted(accountId),
    take: changing((tx, { memberId, nowMs }) =>
      removePersonnelGrant(unsettled(tx), { personnelId: memberId, accountId, nowMs }),
    ),
  },
  {
    name: 'ban',
    member: manager(accountId),
    take: changing((tx, { memberId, nowMs }) =>
      setMemberRole(unsettled(tx), { memberId, roleType: 11, role: 'Archived', nowMs }),
    ),
  },
  {
    name: 'deletion',
    member: manager(accountId),
    take: changing((tx, { memberId, nowMs }) => removeMember(tx, { memberId, nowMs })),
  },
  {
    name: 'password',
    member: manager(accountId),
    take: changing(async (tx, { memberId, nowMs }) => {
      await setPassword(tx, { memberId, hash: `${dummyHash.slice(0, -1)}x`, nowMs });
      await endAllSessions(tx, memberId, { nowMs, reason: 'revoked', endedById: memberId });
    }),
  },
];

/**
 * Removes access from one member after the other, in every possible way, while 200 clients call all nodes as
 * them without pause. The report counts calls that began after a loss was acknowledged and were still
 * allowed.
 */
export async function raceForAccess(race: {
  db: Database;
  nodes: readonly string[];
  losses: number;
}): Promise<HammerReport> {
  const { db, nodes } = race;
  const hammer = startHammer(nodes, { clients: 200, path: '/getAllMemberslist?limit=1' });
  const kinds = losses(3);
  const side = async (offset: number, sides: number) => {
    for (let round = offset; round < race.losses; round += sides) {
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
  return hammer.stop();
}
