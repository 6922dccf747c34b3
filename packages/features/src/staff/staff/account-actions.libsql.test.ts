import { PERMISSIONS, type Permission, randomId } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { openSubscription, setSubscription } from '@gatehouse/db/queries/subscriptions';
import type { TestMember, TestMemberOptions } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { endGrace } from '../../test/end-grace.js';
import { type SupportWorld, startSupportWorld } from '../../test/support-world.js';

const DAY_MS = 86_400_000;

const reason = 'They asked for it';

const STAFF: Readonly<Record<string, (accountId: number) => TestMemberOptions>> = {
  'role 0': () => ({ roleType: 0 }),
  'role 0 without a confirmed address': () => ({ roleType: 0, isConfirmed: false }),
  'an account manager with a grant': (accountId) => ({ roleType: 6, grants: [accountId] }),
  'a designer with a grant, who ranks below managers': (accountId) => ({ roleType: 4, grants: [accountId] }),
  'a contributor of the granted account, who only reads': (accountId) => ({
    roleType: 6,
    grants: [accountId],
    memberships: { [accountId]: 3 },
  }),
};

interface TestAccount {
  readonly id: number;
  readonly owner: TestMember;
}

async function openAccount(world: SupportWorld): Promise<TestAccount> {
  const owner = await world.member();
  const { data } = await world.call('account.create', { name: 'Kiln' }, owner, { on: world.main });
  return { id: (data as { id: number }).id, owner };
}

async function closedAccount(world: SupportWorld): Promise<TestAccount> {
  const account = await openAccount(world);
  await world.call('account.remove', { accountId: account.id }, world.root);
  return account;
}

async function paidAccount(world: SupportWorld): Promise<TestAccount> {
  const account = await openAccount(world);
  await changeAccess(world.db, { accounts: [account.id] }, async (tx) => {
    const { trialEndsAtMs: _, ...row } = await openSubscription(tx, {
      accountId: account.id,
      nowMs: world.nowMs(),
    });
    await setSubscription(tx, {
      ...row,
      state: 'active',
      periodEndsAtMs: world.nowMs() + DAY_MS,
      provider: 'stripe',
      providerCustomerId: `cus_${account.id}`,
      providerSubscriptionId: `sub_${account.id}`,
      lastEventId: `evt_${account.id}`,
      lastEventAtMs: world.nowMs(),
    });
  });
  return account;
}

const ACCOUNTS: Readonly<Record<string, (world: SupportWorld) => Promise<TestAccount>>> = {
  'one on trial': openAccount,
  'one that pays': paidAccount,
  'a closed one': closedAccount,
  'a closed one whose owner is deleted': async (world) => {
    const account = await closedAccount(world);
    await world.call('member.remove', { memberId: account.owner.id }, world.root);
    return account;
  },
  'one that was closed for too long': async (world) => {
    const account = await closedAccount(world);
    await endGrace(world.db, 31 * DAY_MS);
    return account;
  },
};

/** Each action, as its procedure is called; what ends the others comes last. */
const CALLS: Readonly<
  Record<string, (account: TestAccount, staff: TestMember, world: SupportWorld) => [string, object]>
> = {
  seeInvitations: () => ['invitation.list', {}],
  invite: (_, { id }) => ['invitation.create', { email: `guest${id}@many.test`, roleType: 5 }],
  seePolicy: () => ['accountPolicy.get', {}],
  saveRole: () => ['role.save', { name: 'Front desk', roleType: 5, permissions: ['account.read'] }],
  extendTrial: ({ id }, _, world) => [
    'subscription.extendTrial',
    { accountId: id, until: new Date(world.nowMs() + 80 * DAY_MS).toISOString(), reason },
  ],
  restore: ({ id }) => ['account.restore', { accountId: id, reason }],
  remove: ({ id }) => ['account.remove', { accountId: id }],
};

/** The refusals of the service for something that is not for the caller, or not for this account. */
const REFUSALS: readonly (string | undefined)[] = [
  'permission_denied',
  'account_forbidden',
  'not_found',
  'unconfirmed',
  'subscribed',
  'grace_over',
  'sole_owner',
  'invitation_used',
];

const outcomeOf = ({ status, code }: { status: number; code: string | undefined }) => {
  if (status === 200) return 'is done';
  return REFUSALS.includes(code) ? 'is refused' : `gets ${status} ${code ?? ''}`;
};

const inAccount = ({ token }: TestMember, { id: accountId }: TestAccount, name: string) => ({
  token,
  accountId: /^(invitation|accountPolicy|member|role)\./.test(name) ? accountId : undefined,
});

interface Page {
  readonly actions: readonly string[];
  readonly givableRoles: readonly number[];
}

async function pageFor(world: SupportWorld, staff: TestMember, accountId: number): Promise<Page> {
  const { data } = await world.call('account.page', { accountId }, staff);
  return (data as Page | undefined) ?? { actions: [], givableRoles: [] };
}

describe('the list of actions that staff may take on the page of an account', () => {
  it('matches what the service does for each kind of staff, and what it leaves out is refused', {
    timeout: 60_000,
  }, async () => {
    await using world = await startSupportWorld();
    for (const [kind, options] of Object.entries(STAFF)) {
      for (const [which, make] of Object.entries(ACCOUNTS)) {
        const account = await make(world);
        const staff = await world.member({ isPersonnel: true, ...options(account.id) });
        const { actions } = await pageFor(world, staff, account.id);
        const said: string[] = [];
        const done: string[] = [];
        const isNamed = (action: string) => actions.includes(action);
        const inTurn = Object.keys(CALLS).sort((one, other) => Number(isNamed(one)) - Number(isNamed(other)));
        for (const action of inTurn) {
          const [name, input] = CALLS[action]?.(account, staff, world) ?? ['', {}];
          said.push(`${action} ${isNamed(action) ? 'is done' : 'is refused'}`);
          done.push(`${action} ${outcomeOf(await world.call(name, input, inAccount(staff, account, name)))}`);
        }
        expect([kind, which, ...done]).toEqual([kind, which, ...said]);
      }
    }
  });

  it('names the roles that staff may assign and invite to there, and no others', async () => {
    await using world = await startSupportWorld();
    for (const [kind, options] of Object.entries(STAFF)) {
      const account = await openAccount(world);
      const staff = await world.member({ isPersonnel: true, isConfirmed: true, ...options(account.id) });
      const { givableRoles, actions } = await pageFor(world, staff, account.id);
      const given: number[] = [];
      const invited: number[] = [];
      for (const roleType of [0, 1, 2, 3, 4, 5, 6, 11]) {
        const { id: memberId } = await world.member();
        const place = { accountId: account.id, memberId, roleType };
        // Somebody they see, who is in the account.
        await world.call('membership.save', { ...place, roleType: 5 }, world.root);
        if ((await world.call('membership.save', place, staff)).status === 200) given.push(roleType);
        const guest = { email: `guest${memberId}@many.test`, roleType };
        const answer = await world.call('invitation.create', guest, { ...staff, accountId: account.id });
        if (answer.status === 200) invited.push(roleType);
      }
      const sorted = givableRoles.toSorted((one, other) => one - other);
      expect([kind, given.filter((roleType) => roleType !== 11)]).toEqual([kind, sorted]);
      expect([kind, invited]).toEqual([kind, actions.includes('invite') ? sorted : []]);
    }
  });
});

describe('the list of actions that staff may take on the custom roles of an account', () => {
  it('matches what the service does for each kind of staff, and what it leaves out is refused', {
    timeout: 60_000,
  }, async () => {
    await using world = await startSupportWorld();
    const kinds: typeof STAFF = {
      ...STAFF,
      'a member by a role that makes roles': (accountId) => ({ roleType: 6, grants: [accountId] }),
    };
    for (const [kind, options] of Object.entries(kinds)) {
      const { id: accountId } = await openAccount(world);
      const asRoot = { token: world.root.token, accountId };
      const managing: Permission[] = ['account.read', 'account.manage', 'member.list'];
      const made = async (name: string, roleType: number, permissions = managing) =>
        ((await world.call('role.save', { name, roleType, permissions }, asRoot)).data as Row).id;
      await made('Front desk', 5, ['account.read', 'member.list']);
      const customRoleId = await made('Clerk', 4);
      await made('Lead', 2);
      const staff = await world.member({ isPersonnel: true, ...options(accountId) });
      if (kind.startsWith('a member'))
        await changeAccess(world.db, { members: [staff.id] }, (tx) =>
          setMembership(tx, {
            memberId: staff.id,
            accountId,
            roleType: 4,
            customRoleId,
            nowMs: world.nowMs(),
          }),
        );
      const as = { token: staff.token, accountId };
      const { data } = await world.call('account.page', { accountId }, staff);
      const page = (data ?? { customRoles: [], givablePermissions: [] }) as {
        readonly customRoles: readonly {
          readonly id: number;
          readonly name: string;
          readonly isChangeable: boolean;
          readonly isGivable: boolean;
        }[];
        readonly givablePermissions: readonly string[];
      };
      const offered: unknown[] = [];
      for (const { id, name } of page.customRoles) {
        const { id: memberId } = await world.member({ memberships: { [accountId]: 5 } });
        const wanted = { accountId, memberId, customRoleId: id };
        offered.push([name, outcomeOf(await world.call('membership.save', wanted, staff)) === 'is done']);
      }
      expect([kind, offered]).toEqual([
        kind,
        page.customRoles.map(({ name, isGivable }) => [name, isGivable]),
      ]);
      const given: string[] = [];
      for (const permission of PERMISSIONS) {
        const role = {
          name: `With ${permission}`,
          roleType: 5,
          permissions: ['account.read', 'member.list', permission],
        };
        if (outcomeOf(await world.call('role.save', role, as)) === 'is done') given.push(permission);
      }
      expect([kind, given]).toEqual([kind, page.givablePermissions]);
      const changed: unknown[] = [];
      for (const { id, name } of page.customRoles) {
        const role = {
          customRoleId: id,
          name: `Another ${name}`,
          roleType: 5,
          permissions: ['account.read'],
        };
        changed.push([name, outcomeOf(await world.call('role.save', role, as)) === 'is done']);
      }
      expect([kind, changed]).toEqual([
        kind,
        page.customRoles.map(({ name, isChangeable }) => [name, isChangeable]),
      ]);
    }
  });
});

interface Row {
  readonly id: number;
  readonly actions: readonly string[];
}

const rowsOf = async (world: SupportWorld, name: string, as: TestMember, accountId: number) =>
  ((await world.call(name, {}, { token: as.token, accountId })).data as Row[] | undefined) ?? [];

describe('the list of actions that staff may take on the members of an account', () => {
  const PLACES: Readonly<Record<string, TestMemberOptions & { readonly role: number }>> = {
    'the least of members': { role: 5 },
    'one who is not confirmed': { role: 5, isConfirmed: false },
    'one who has not proven the address': { role: 5, isProven: false },
    'a manager': { role: 2 },
    'an owner': { role: 1 },
    'a colleague': { role: 5, isPersonnel: true, roleType: 6 },
    'one who is banned': { role: 5 },
  };

  it('matches what the service does for each kind of staff, and what it leaves out is refused', {
    timeout: 60_000,
  }, async () => {
    await using world = await startSupportWorld();
    for (const [kind, options] of Object.entries(STAFF)) {
      const account = await openAccount(world);
      const { id: accountId } = account;
      const staff = await world.member({ isPersonnel: true, ...options(accountId) });
      const places: [string, number, number][] = [];
      for (const [which, { role, ...more }] of Object.entries(PLACES)) {
        const member = async () => {
          const { id } = await world.member({ memberships: { [accountId]: role }, ...more });
          if (which === 'one who is banned') await world.call('member.ban', { memberId: id }, world.root);
          return id;
        };
        places.push([which, await member(), await member()]);
      }
      const rows = await rowsOf(world, 'member.list', staff, accountId);
      const said: string[] = [];
      const done: string[] = [];
      const calls: Readonly<Record<string, (memberId: number) => [string, object]>> = {
        changeRole: (memberId) => ['membership.save', { accountId, memberId, roleType: 5 }],
        remove: (memberId) => ['membership.remove', { accountId, memberId }],
        transferOwnership: (memberId) => ['account.transferOwnership', { accountId, memberId, reason }],
      };
      // Nobody changes the primary owner's place except by a transfer.
      places.push(['the primary owner', account.owner.id, places[0]?.[2] ?? 0]);
      for (const [which, one, other] of places) {
        for (const [action, call] of Object.entries(calls)) {
          const memberId = action === 'transferOwnership' ? other : one;
          const isNamed = rows.find(({ id }) => id === memberId)?.actions.includes(action) ?? false;
          if (which === 'the primary owner' && action === 'transferOwnership') continue;
          const [name, input] = call(memberId);
          said.push(`${which}: ${action} ${isNamed ? 'is done' : 'is refused'}`);
          done.push(`${which}: ${action} ${outcomeOf(await world.call(name, input, staff))}`);
          // It comes back, so that the others' rows stay true.
          if (action === 'transferOwnership' && isNamed)
            await world.call(name, { ...input, memberId: account.owner.id }, world.root);
        }
      }
      expect([kind, ...done]).toEqual([kind, ...said]);
    }
  });
});

describe('the list of actions that staff may take on the invitations of an account', () => {
  it('matches what the service does for each kind of staff, and what it leaves out is refused', {
    timeout: 60_000,
  }, async () => {
    await using world = await startSupportWorld();
    for (const [kind, options] of Object.entries(STAFF)) {
      const account = await openAccount(world);
      const { id: accountId, owner } = account;
      const staff = await world.member({ isPersonnel: true, ...options(accountId) });
      const byOwner = { token: owner.token, accountId };
      const how = { on: world.main };
      const offered = { name: 'Bookkeeper', roleType: 4, permissions: ['account.read', 'account.manage'] };
      const saved = await world.call('role.save', offered, byOwner, how);
      const { id: customRoleId } = saved.data as Row;
      const invite = async (choice: object, as = byOwner) => {
        const email = `guest${randomId()}@many.test`;
        const { data } = await world.call('invitation.create', { email, ...choice }, as, how);
        return (data as Row).id;
      };
      const gone = await world.member({ memberships: { [accountId]: 1 } });
      const invitations: Readonly<Record<string, () => Promise<number>>> = {
        'to the least role': () => invite({ roleType: 5 }),
        'to own the account': () => invite({ roleType: 1 }),
        'to a role with more than managers have': () => invite({ customRoleId }),
        'that was taken back': async () => {
          const invitationId = await invite({ roleType: 5 });
          await world.call('invitation.revoke', { invitationId }, byOwner, how);
          return invitationId;
        },
        'by somebody who is gone': () => invite({ roleType: 5 }, { token: gone.token, accountId }),
      };
      const ids: [string, number][] = [];
      for (const [which, make] of Object.entries(invitations)) ids.push([which, await make()]);
      await world.call('membership.remove', { accountId, memberId: gone.id }, world.root);
      world.wait(61_000);
      const rows = await rowsOf(world, 'invitation.list', staff, accountId);
      const said: string[] = [];
      const done: string[] = [];
      for (const [which, invitationId] of ids) {
        for (const action of ['resend', 'revoke']) {
          const isNamed = rows.find(({ id }) => id === invitationId)?.actions.includes(action) ?? false;
          // Revoking a revoked invitation changes nothing.
          if (which === 'that was taken back' && action === 'revoke') continue;
          const answer = await world.call(
            `invitation.${action}`,
            { invitationId },
            { token: staff.token, accountId },
          );
          said.push(`${which}: ${action} ${isNamed ? 'is done' : 'is refused'}`);
          done.push(`${which}: ${action} ${outcomeOf(answer)}`);
        }
      }
      expect([kind, ...done]).toEqual([kind, ...said]);
    }
  });
});
