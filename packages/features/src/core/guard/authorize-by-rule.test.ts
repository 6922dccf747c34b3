import { createApp } from '@gatehouse/api-main/app';
import type { StaffPermission } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { createService } from '@gatehouse/http/create-service';
import { insertTestMember, type RunningService, startService } from '@gatehouse/testkit';
import { describe, expect, expectTypeOf, inject, it } from 'vitest';
import { z } from 'zod';
import { t } from '../context.js';
import { FRESH } from './freshness.js';
import { accountProcedure, procedure, staffProcedure } from './procedure.js';

const dialect = inject('dialect');

const ACCOUNT = 1;
const FOREIGN_ACCOUNT = 3;
const OTHER_OWNER = 1;
const PARTNER = 1;
const HOUR_MS = 3_600_000;

const sell = accountProcedure('account.manage', {
  inPerson: true,
  primaryOwner: true,
  fresh: FRESH,
  entitled: true,
})
  .meta({ about: { summary: 'Needs everything that a rule can ask for' } })
  .input(z.object({ amount: z.number() }))
  .output(z.object({}))
  .mutation(() => ({}));

const inspect = procedure({ who: 'staff', permission: 'member.list', inAccounts: true })
  .meta({ about: { summary: 'Is for staff, in their accounts' } })
  .output(z.object({}))
  .query(() => ({}));

/** What a caller may lack, in the order in which a guard checks it, and the refusal. */
const REFUSALS = {
  session: 'unauthorized',
  account: 'account_forbidden',
  permission: 'permission_denied',
  inPerson: 'permission_denied',
  owner: 'permission_denied',
  level: 'enrolment_required',
  freshness: 'verification_required',
  subscription: 'subscription_required',
  input: 'invalid_input',
} as const;

type Lacked = keyof typeof REFUSALS;

const ORDER = Object.keys(REFUSALS) as Lacked[];

function startProduct(service: RunningService): Promise<RunningService> {
  const deployment = {
    name: 'product',
    version: '0',
    router: t.router({ product: t.router({ sell, inspect }) }),
    routes: [],
  };
  return startService((services) => createService(deployment, services), {
    dialect,
    application: 'web',
    database: service.database,
  });
}

async function codeOf(response: Response): Promise<string> {
  // Existing clients compare the text of this answer.
  if (response.status === 401) return 'unauthorized';
  const body = (await response.json()) as { error?: { code: string } };
  return body.error?.code ?? String(response.status);
}

/** Calls as a member of the account who lacks these things and nothing else. */
async function callWithout(product: RunningService, ...lacked: readonly Lacked[]): Promise<string> {
  const has = (what: Lacked) => !lacked.includes(what);
  const { database } = product;
  const { accounts, sessions, subscriptions } = database.tables;
  const member = await insertTestMember(database, {
    memberships: { [ACCOUNT]: has('permission') ? 1 : 5 },
  });
  const nowMs = Date.now();
  const changes = { accounts: [ACCOUNT, FOREIGN_ACCOUNT], members: [member.id] };
  await changeAccess(database, changes, async (tx) => {
    await tx.write(
      tx.update(accounts).set({
        ownerId: has('owner') ? member.id : OTHER_OWNER,
        createdByPartnerId: PARTNER,
        requiredLevel: has('level') ? 1 : 2,
      }),
    );
    await tx.write(
      tx.update(subscriptions).set({ trialEndsAtMs: has('subscription') ? nowMs + HOUR_MS : 1 }),
    );
    await tx.write(
      tx.update(sessions).set({
        partnerId: has('inPerson') ? null : PARTNER,
        verifiedAtMs: has('freshness') ? nowMs : nowMs - HOUR_MS,
      }),
    );
  });
  const response = await product.send('/v1/product/sell', {
    body: { amount: has('input') ? 1 : 'one' },
    accountId: has('account') ? ACCOUNT : FOREIGN_ACCOUNT,
    ...(has('session') ? { token: member.token } : {}),
  });
  return codeOf(response);
}

describe('a guard', () => {
  it('reports the first of two requirements that a caller does not meet', { timeout: 60_000 }, async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    await using product = await startProduct(service);
    expect(await callWithout(product)).toBe('200');
    for (const [place, first] of ORDER.entries()) {
      expect([first, await callWithout(product, first)]).toEqual([first, REFUSALS[first]]);
      for (const second of ORDER.slice(place + 1)) {
        const lacked = `${first}, ${second}`;
        expect([lacked, await callWithout(product, first, second)]).toEqual([lacked, REFUSALS[first]]);
      }
    }
  });

  it('tells a member who is not staff nothing about the account of a staff procedure', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    await using product = await startProduct(service);
    const member = await insertTestMember(product.database, { memberships: { [ACCOUNT]: 1 } });
    const staff = await insertTestMember(product.database, { isPersonnel: true, grants: [ACCOUNT] });
    const inspectAs = async (token: string, accountId: number) =>
      codeOf(await product.send('/v1/product/inspect', { token, accountId }));
    for (const accountId of [ACCOUNT, FOREIGN_ACCOUNT])
      expect(await inspectAs(member.token, accountId)).toBe('permission_denied');
    expect(await inspectAs(staff.token, ACCOUNT)).toBe('200');
    expect(await inspectAs(staff.token, FOREIGN_ACCOUNT)).toBe('account_forbidden');
  });

  it('cannot be made with a permission of the other kind', () => {
    expectTypeOf(staffProcedure).parameter(0).toEqualTypeOf<StaffPermission | undefined>();
    // @ts-expect-error -- a permission of staff outside accounts
    accountProcedure('audit.read');
    // @ts-expect-error -- a permission in accounts, without `inAccounts`
    procedure({ who: 'staff', permission: 'member.list' });
    // @ts-expect-error -- a permission of staff outside accounts
    procedure({ who: 'account', permission: 'audit.read' });
    // @ts-expect-error -- staff need a permission in accounts
    procedure({ who: 'staff', inAccounts: true });
    // @ts-expect-error -- a rule about accounts is written out
    staffProcedure('audit.read', { inAccounts: true });
  });
});
