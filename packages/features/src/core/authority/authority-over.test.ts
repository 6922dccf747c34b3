import { createRoles } from '@gatehouse/auth-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemberSnapshot } from '../access/access-reader.js';
import { type Authority, authorityOver, type Subject } from './authority-over.js';

const roles = createRoles();
const permission = 'member.manage' as const;

/** The ranks as the contract lists them, independent of the code: 0 = 1 > 6 > 2 > 3 = 4 > 5 > 11. */
const RANK: Record<number, number> = { 0: 9, 1: 9, 6: 7, 2: 5, 3: 3, 4: 3, 5: 1, 11: 0 };
const MANAGES: Record<number, boolean> = {
  0: true,
  1: true,
  2: true,
  6: true,
  3: false,
  4: false,
  5: false,
  11: false,
};
const rank = (role: number) => RANK[role] ?? -1;

interface World {
  caller: { roleType: number; memberships: ReadonlyMap<number, number>; grants: ReadonlySet<number> };
  /** The selected account, or without one the granted accounts where the caller manages members. */
  selected: number | undefined;
  /** The accounts that need a session of a higher level than the caller's. */
  above: ReadonlySet<number>;
  subject: Subject;
}

/** The caller's rank in one account, or undefined without the permission. */
function actsIn({ caller }: World, accountId: number): number | undefined {
  const own = caller.memberships.get(accountId);
  if (own !== undefined) return MANAGES[own] ? rank(own) : undefined;
  return caller.grants.has(accountId) ? Math.min(rank(6), rank(caller.roleType)) : undefined;
}

function oracle(world: World): Omit<Authority, 'actingRole'> {
  const { caller, subject } = world;
  const accounts = subject.memberships.map(({ accountId }) => accountId);
  const isOpen = accounts.every((id) => !world.above.has(id));
  if (caller.roleType === 0)
    return { sees: true, mayServe: true, mayChange: true, mayChangeEverywhere: isOpen };
  const inScope = accounts.filter((id) =>
    world.selected === undefined
      ? caller.grants.has(id) && actsIn(world, id) !== undefined
      : id === world.selected,
  );
  const acting = Math.max(...inScope.map((id) => actsIn(world, id) ?? 0), 0);
  const standing = Math.max(
    rank(subject.roleType),
    ...subject.memberships.map(({ roleType }) => rank(roleType)),
  );
  const sees = inScope.length > 0;
  const mayServe = sees && !subject.isPersonnel;
  const mayChange = mayServe && acting > 0 && acting >= standing;
  const everywhere = accounts.every((id) => actsIn(world, id) !== undefined);
  return { sees, mayServe, mayChange, mayChangeEverywhere: mayChange && everywhere && isOpen };
}

const role = fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 11);
const account = fc.integer({ min: 1, max: 4 });
const places = fc
  .uniqueArray(fc.tuple(account, role), { selector: ([id]) => id, maxLength: 4 })
  .map((list) => new Map(list));

const worlds: fc.Arbitrary<World> = fc
  .record({
    caller: fc.record({
      roleType: fc.constantFrom(0, 1, 2, 3, 4, 5, 6),
      memberships: places,
      grants: fc.uniqueArray(account).map((list) => new Set(list)),
    }),
    wish: fc.option(account, { nil: undefined }),
    above: fc.uniqueArray(account, { maxLength: 2 }).map((list) => new Set(list)),
    subject: fc.record({ roleType: role, isPersonnel: fc.boolean(), memberships: places }),
  })
  .map(({ caller, wish, above, subject }) => {
    const memberships = [...subject.memberships].map(([accountId, roleType]) => ({ accountId, roleType }));
    const world = { caller, selected: wish, above, subject: { ...subject, memberships } };
    // The guard refuses the selection of an account in which the caller has no permission.
    const isSelectable = wish === undefined || caller.roleType === 0 || actsIn(world, wish) !== undefined;
    return isSelectable ? world : { ...world, selected: undefined };
  });

function ask({ caller, selected, above, subject }: World): Authority {
  const snapshot: MemberSnapshot = {
    id: 1,
    roleType: caller.roleType,
    banEndsAtMs: null,
    isPersonnel: true,
    isDeleted: false,
    sessionEpoch: 0,
    secondFactor: false,
    emailStep: false,
    hasTotp: false,
    passkeyRpIds: new Set(),
    tokensValidAfterMs: 0,
    memberships: caller.memberships,
    grants: caller.grants,
    consentedPartners: new Set(),
    ssoHomes: new Set(),
    consentedSubjects: new Set(),
    customRoleIds: new Map(),
    customRoles: new Map(),
    actor: undefined,
    impersonationId: null,
    machine: null,
  };
  const world = { caller, selected, above, subject };
  const isRoot = caller.roleType === 0;
  const granted = [...caller.grants].filter((id) => actsIn(world, id) !== undefined);
  const scope =
    selected === undefined
      ? isRoot
        ? ({ all: true } as const)
        : { all: false as const, accountIds: granted }
      : { all: false as const, accountIds: [selected] };
  const opened = subject.memberships.map(({ accountId }) => accountId).filter((id) => !above.has(id));
  return authorityOver(roles, snapshot, { scope, permission, opened }, subject);
}

describe('authority over a member', () => {
  it('matches an oracle written from the contract, for every caller and subject', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { actingRole: _, ...authority } = ask(world);
        expect(authority).toEqual(oracle(world));
      }),
      { numRuns: 3_000 },
    );
  });

  it('never lets a caller act with a rank above their own', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { actingRole, mayChange } = ask(world);
        const own = Math.max(
          rank(world.caller.roleType),
          ...[...world.caller.memberships.values()].map(rank),
        );
        expect(rank(actingRole)).toBeLessThanOrEqual(own);
        if (mayChange) expect(rank(world.subject.roleType)).toBeLessThanOrEqual(rank(actingRole));
      }),
      { numRuns: 1_000 },
    );
  });
});
