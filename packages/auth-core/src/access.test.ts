import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideAccess, staffReach } from './access.js';
import type { AccessLink, AccessSnapshot } from './access-question.js';
import { staffPermissions } from './account-reach.js';
import { PERMISSIONS } from './permissions.js';
import { createRoles } from './roles.js';

const roles = createRoles();
const ROLE_NUMBERS = [0, 1, 2, 3, 4, 5, 6, 11, 99];

const ALL =
  'account.read account.manage member.list member.manage conversation.read subject.remove subscription.read billing.manage social.connect knowledge.analyze event.read event.manage key.manage app.manage sso.manage';
const OF_TWO =
  'account.read member.list member.manage conversation.read subject.remove social.connect knowledge.analyze';

/** The contract's table by number, written a second time. */
const WORDS: Record<number, string> = {
  0: ALL,
  1: ALL,
  2: `${OF_TWO} event.read`,
  6: `${OF_TWO} subscription.read`,
  3: 'account.read member.list conversation.read social.connect',
  4: 'account.read member.list conversation.read social.connect',
  5: 'account.read social.connect',
};

interface Case {
  readonly memberDeleted: boolean;
  readonly baseRole: number;
  readonly staff: boolean;
  readonly roleInAccount: number | undefined;
  readonly granted: boolean;
  readonly account: 'live' | 'deleted' | 'absent';
}

/** An independent oracle: a list of rules over database rows; the first match applies. */
function oracle(c: Case): { access: string; role: number | null } {
  const sentences: [boolean, string, number | null][] = [
    [c.account !== 'live', 'none', null],
    [c.memberDeleted, 'none', null],
    [c.baseRole === 11, 'none', null],
    [c.staff && c.baseRole === 0, 'all', 0],
    [c.roleInAccount === 11 || c.roleInAccount === 99, 'none', null],
    [c.roleInAccount !== undefined, 'member', c.roleInAccount ?? null],
    [c.granted && !c.staff, 'none', null],
    [c.granted, 'grant', 6],
    [true, 'none', null],
  ];
  const [, access, role] = sentences.find(([applies]) => applies) ?? [true, 'none', null];
  return { access, role };
}

function snapshotOf(c: Case, accountId = 7): AccessSnapshot {
  return {
    id: 3,
    roleType: c.baseRole,
    isPersonnel: c.staff,
    isDeleted: c.memberDeleted,
    sessionEpoch: 0,
    tokensValidAfterMs: 0,
    impersonationId: null,
    memberships: new Map([
      [100, 0],
      ...(c.roleInAccount === undefined ? [] : [[accountId, c.roleInAccount] as const]),
    ]),
    grants: new Set(c.granted ? [101, accountId] : [101]),
  };
}

const accountOf = (c: Case) => (c.account === 'absent' ? undefined : { isDeleted: c.account === 'deleted' });

/** The fact that decides, by the same sentences. */
function decidingFact(c: Case, permission: string | undefined): string {
  if (c.memberDeleted || c.baseRole === 11) return 'memberStatus';
  if (c.account !== 'live') return 'accountState';
  const { access, role } = oracle(c);
  if (access !== 'none') {
    if (permission !== undefined) return 'permission';
    return access === 'all' ? 'baseRole' : ({ member: 'membership', grant: 'grant' }[access] ?? '');
  }
  if (c.roleInAccount !== undefined && role === null) return 'membership';
  return c.staff ? 'grant' : 'membership';
}

function everyCase(): Case[] {
  const cases: Case[] = [];
  for (const memberDeleted of [false, true])
    for (const baseRole of ROLE_NUMBERS)
      for (const staff of [false, true])
        for (const roleInAccount of [undefined, ...ROLE_NUMBERS])
          for (const granted of [false, true])
            for (const account of ['live', 'deleted', 'absent'] as const)
              cases.push({ memberDeleted, baseRole, staff, roleInAccount, granted, account });
  return cases;
}

describe('access to an account', () => {
  it('matches the oracle for every combination of membership, grant, staff flag, role and account', () => {
    const cases = everyCase();
    expect(cases).toHaveLength(2 * 9 * 2 * 10 * 2 * 3);
    for (const c of cases) {
      const decision = decideAccess(roles, snapshotOf(c), { accountId: 7, account: accountOf(c) });
      const { access, role } = oracle(c);
      const permissions = role === null ? [] : (WORDS[role] ?? '').split(' ').toSorted();
      expect({
        c,
        access: decision.access,
        role: decision.role,
        permissions: [...decision.permissions].toSorted(),
      }).toEqual({
        c,
        access,
        role,
        permissions,
      });
    }
  });

  it('comes with a chain of facts, the last of which decides', () => {
    for (const c of everyCase()) {
      for (const permission of [undefined, 'account.read', 'billing.manage'] as const) {
        const chain: AccessLink[] = [];
        const question = { accountId: 7, account: accountOf(c), permission };
        const decision = decideAccess(roles, snapshotOf(c), question, chain);
        expect(decision).toEqual(decideAccess(roles, snapshotOf(c), question));
        const last = chain.at(-1);
        const deciding = chain.filter(({ effect }) => effect === 'allows' || effect === 'denies');
        expect(deciding).toEqual([last]);
        expect([c, permission, last?.effect]).toEqual([c, permission, decision.reason ? 'denies' : 'allows']);
        expect([c, permission, last?.fact]).toEqual([c, permission, decidingFact(c, permission)]);
      }
    }
  });

  it('is what the custom role permits, and nothing once the role is removed', () => {
    const c: Case = {
      memberDeleted: false,
      baseRole: 5,
      staff: false,
      roleInAccount: 1,
      granted: false,
      account: 'live',
    };
    const customRole = {
      id: 9,
      name: 'Front desk',
      roleType: 3,
      permissions: new Set(['account.read', 'member.list'] as const),
    };
    const live = { isDeleted: false };
    const holding = { ...snapshotOf(c), customRoles: new Map([[7, customRole]]) };
    expect(decideAccess(roles, holding, { accountId: 7, account: live })).toEqual({
      access: 'member',
      role: 3,
      permissions: customRole.permissions,
      customRole,
      reason: undefined,
    });
    expect(
      decideAccess(
        roles,
        { ...holding, customRoles: new Map([[7, undefined]]) },
        { accountId: 7, account: live },
      ).access,
    ).toBe('none');
    expect(
      decideAccess(roles, { ...holding, memberships: new Map() }, { accountId: 7, account: live }).access,
    ).toBe('none');
    expect(decideAccess(roles, holding, { accountId: 7, account: { isDeleted: true } }).access).toBe('none');
    expect(decideAccess(roles, holding, { accountId: 100, account: live })).toMatchObject({
      access: 'member',
      role: 0,
    });
    const root = { ...holding, isPersonnel: true, roleType: 0 };
    expect(decideAccess(roles, root, { accountId: 7, account: live })).toMatchObject({
      access: 'all',
      role: 0,
    });
  });

  it("does not depend on the member's other accounts", () => {
    const otherAccounts = fc.array(
      fc.tuple(fc.integer({ min: 8, max: 10_000 }), fc.constantFrom(...ROLE_NUMBERS)),
    );
    const otherGrants = fc.array(fc.integer({ min: 8, max: 10_000 }));
    fc.assert(
      fc.property(fc.constantFrom(...everyCase()), otherAccounts, otherGrants, (c, memberships, grants) => {
        const snapshot = snapshotOf(c);
        const wider = {
          ...snapshot,
          memberships: new Map([...memberships, ...snapshot.memberships]),
          grants: new Set([...grants, ...snapshot.grants]),
        };
        expect(decideAccess(roles, wider, { accountId: 7, account: accountOf(c) })).toEqual(
          decideAccess(roles, snapshot, { accountId: 7, account: accountOf(c) }),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('never grows when a grant or the staff flag is removed', () => {
    const reach = (c: Case) =>
      decideAccess(roles, snapshotOf(c), { accountId: 7, account: accountOf(c) }).permissions.size;
    for (const c of everyCase()) {
      expect(reach({ ...c, granted: false })).toBeLessThanOrEqual(reach(c));
      expect(reach({ ...c, staff: false })).toBeLessThanOrEqual(reach(c));
    }
  });

  it('follows the configured role numbers, not the default ones', () => {
    const moved = createRoles({ designer: 14, userMember: 15, accountManager: 16 });
    const c: Case = {
      memberDeleted: false,
      baseRole: 15,
      staff: false,
      roleInAccount: 14,
      granted: false,
      account: 'live',
    };
    expect(decideAccess(moved, snapshotOf(c), { accountId: 7, account: accountOf(c) })).toMatchObject({
      access: 'member',
      role: 14,
    });
    const staff = { ...c, staff: true, roleInAccount: undefined, granted: true };
    expect(decideAccess(moved, snapshotOf(staff), { accountId: 7, account: accountOf(staff) })).toMatchObject(
      {
        access: 'grant',
        role: 16,
      },
    );
    const usual = { ...c, roleInAccount: 4 };
    expect(decideAccess(moved, snapshotOf(usual), { accountId: 7, account: accountOf(usual) }).access).toBe(
      'none',
    );
  });

  it.each([0, -1, Number.NaN, 7.5])('is denied for %s, which is not an account', (accountId) => {
    const c: Case = {
      memberDeleted: false,
      baseRole: 0,
      staff: false,
      roleInAccount: 0,
      granted: true,
      account: 'live',
    };
    expect(
      decideAccess(roles, snapshotOf(c), { accountId: accountId, account: { isDeleted: false } }).access,
    ).toBe('none');
  });
});

describe('what staff may do outside accounts', () => {
  it.each(everyCase().filter((c) => c.account === 'live' && c.roleInAccount === undefined))(
    'matches the contract for $baseRole, staff $staff, deleted $memberDeleted, granted $granted',
    (c) => {
      const words: Record<number, string[]> = {
        0: [
          'personnel.read',
          'personnel.manage',
          'partner.manage',
          'webhook.read',
          'audit.read',
          'affiliate.read',
          'affiliate.manage',
          'member.impersonate',
          'platformEvent.manage',
          'platformKey.manage',
          'platformApp.manage',
          'platformSso.manage',
        ],
        6: ['personnel.read', 'affiliate.read', 'affiliate.manage', 'member.impersonate'],
      };
      const expected = c.staff && !c.memberDeleted ? (words[c.baseRole] ?? []) : [];
      expect([...staffPermissions(roles, snapshotOf(c))]).toEqual(expected);
    },
  );

  it('covers all accounts for role 0 and granted ones for others when no account is selected', () => {
    for (const c of everyCase().filter((each) => each.account === 'live')) {
      for (const permission of PERMISSIONS) {
        expect({ c, permission, reach: staffReach(roles, snapshotOf(c), permission) }).toEqual({
          c,
          permission,
          reach: reachOracle(c, permission),
        });
      }
    }
  });
});

/** Account 101 is always granted and has no membership. The case varies account 7. */
function reachOracle(c: Case, permission: string): 'all' | Set<number> {
  if (!c.staff || c.memberDeleted || c.baseRole === 11) return new Set();
  if (c.baseRole === 0) return 'all';
  const holds = (role: number) => (WORDS[role] ?? '').split(' ').includes(permission);
  return new Set([...(holds(6) ? [101] : []), ...(c.granted && holds(c.roleInAccount ?? 6) ? [7] : [])]);
}
