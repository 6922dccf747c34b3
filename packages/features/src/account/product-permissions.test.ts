import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp } from '@gatehouse/api-main/app';
import { developmentEnvironment, insertTestMember, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { ConfigError, configShape, readConfig } from '../core/config.js';

const dialect = inject('dialect');

const INVOICES = [
  { name: 'app.invoice.read', label: { en: 'See invoices', de: 'Rechnungen sehen' }, roles: ['owner', 3] },
  { name: 'app.invoice.send', label: { en: 'Send invoices', de: 'Rechnungen senden' }, roles: ['owner'] },
];

const env = (product: object) => ({
  ...developmentEnvironment(),
  PRODUCT_PERMISSIONS: JSON.stringify(product),
});

interface Me {
  currentAccount: { permissions: string[] };
}

describe('the permissions of the product', () => {
  it('belong to the configured roles, can be in custom roles, and are explained', async () => {
    await using main = await startService(createApp, { dialect, application: 'web', env: env(INVOICES) });
    const { database } = main;
    await using admin = await startService(createAdminApp, {
      dialect,
      application: 'admin',
      database,
      env: env(INVOICES),
    });
    const member = (role: number) =>
      insertTestMember(database, { isConfirmed: true, memberships: { 1: role } });
    const [owner, contributor, manager] = [await member(1), await member(3), await member(2)];
    const root = await insertTestMember(database, { isPersonnel: true, roleType: 0 });
    const held = async (token: string, on = main) => {
      const me = (await (await on.send('/auth/me', { token, accountId: 1 })).json()) as Me;
      return me.currentAccount.permissions.filter((name) => name.startsWith('app.invoice.'));
    };
    const both = ['app.invoice.read', 'app.invoice.send'];
    expect(await held(owner.token)).toEqual(both);
    expect(await held(contributor.token)).toEqual(['app.invoice.read']);
    expect(await held(manager.token)).toEqual([]);
    expect(await held(root.token)).toEqual(both);

    const save = (permissions: string[]) =>
      main.send('/v1/role/save', {
        token: owner.token,
        accountId: 1,
        body: {
          name: `Role ${permissions.length}`,
          roleType: 2,
          permissions: ['account.read', ...permissions],
        },
      });
    const unknown = await save(['app.invoice.burn']);
    expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining('permissions.1')]);
    const made = (await (await save(both)).json()) as { data: { id: number; permissions: string[] } };
    expect(made.data.permissions).toEqual(['account.read', ...both]);
    const given = await main.send('/v1/membership/changeRole', {
      token: owner.token,
      accountId: 1,
      body: { memberId: manager.id, customRoleId: made.data.id },
    });
    expect(given.status).toBe(200);
    expect(await held(manager.token)).toEqual(both);

    const listed = await main.send('/v1/role/list', { token: owner.token, accountId: 1 });
    expect(await listed.json()).toMatchObject({
      productPermissions: INVOICES.map(({ name, label }) => ({ name, label })),
    });
    const explained = async (memberId: number, permission: string) => {
      const body = { memberId, accountId: 1, permission };
      const answer = await admin.send('/v1/access/explain', { token: root.token, body });
      return ((await answer.json()) as { data: { decision: string } }).data.decision;
    };
    expect(await explained(manager.id, 'app.invoice.send')).toBe('allow');
    expect(await explained(contributor.id, 'app.invoice.send')).toBe('deny');
    expect(await explained(owner.id, 'app.never.heard')).toBe('deny');

    // The next release no longer has one of them.
    await using later = await startService(createApp, {
      dialect,
      application: 'web',
      database,
      env: env(INVOICES.slice(0, 1)),
    });
    expect(await held(manager.token, later)).toEqual(['app.invoice.read']);
  });

  it('cannot be assigned by members who lack them', async () => {
    const ofRoot = [{ ...INVOICES[0], roles: [] }];
    await using main = await startService(createApp, { dialect, application: 'web', env: env(ofRoot) });
    const owner = await insertTestMember(main.database, { isConfirmed: true, memberships: { 1: 1 } });
    const answer = await main.send('/v1/role/save', {
      token: owner.token,
      accountId: 1,
      body: { name: 'Bookkeeper', roleType: 2, permissions: ['account.read', 'app.invoice.read'] },
    });
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('permission_denied')]);
  });

  it.each([
    ['no JSON', '[{'],
    ['another name', JSON.stringify([{ ...INVOICES[0], name: 'account.read' }])],
    ["a name that is the service's", JSON.stringify([{ ...INVOICES[0], name: 'app.manage' }])],
    ['the number of no role', JSON.stringify([{ ...INVOICES[0], roles: [7] }])],
    ['a name twice', JSON.stringify([INVOICES[0], INVOICES[0]])],
    ['an unknown role', JSON.stringify([{ ...INVOICES[0], roles: ['king'] }])],
    ['no German', JSON.stringify([{ ...INVOICES[0], label: { en: 'See invoices' } }])],
    [
      'too many',
      JSON.stringify(Array.from({ length: 201 }, (_, at) => ({ ...INVOICES[0], name: `app.a${at}` }))),
    ],
  ])('keep the service from starting with %s', async (_, text) => {
    const started = startService(createApp, {
      dialect,
      application: 'web',
      env: { ...developmentEnvironment(), PRODUCT_PERMISSIONS: text },
    });
    await expect(started).rejects.toThrow(ConfigError);
  });

  it.each<[string, object, string, Record<string, string>?]>([
    ['a role', { roles: ['owner', 'king'] }, '[1].roles[1]'],
    ['a negative number', { roles: [-1] }, '[1].roles[0]'],
    ['a broken number', { roles: [1.5] }, '[1].roles[0]'],
    ['the number of no role', { roles: ['owner', 1, 7] }, '[1].roles[2] is the number of no role'],
    ['a number that has moved', { roles: [4] }, '[1].roles[0] is the number of no role', { DESIGNER: '40' }],
    ['a label', { label: { en: 'See', de: '' } }, '[1].label.de'],
    ['a reserved name', { name: 'app.manage' }, '[1].name: is no name of a product permission'],
    ['a name twice', { name: 'app.invoice.read' }, '[1].name: is there twice'],
    ['an unknown field', { secretField: 1 }, 'wrong is [1]'],
  ])('are reported as wrong where %s is, without its value', (_, change, place, more = {}) => {
    const text = JSON.stringify([INVOICES[0], { ...INVOICES[1], ...change }]);
    const read = () =>
      readConfig(configShape, { ...developmentEnvironment(), ...more, PRODUCT_PERMISSIONS: text });
    expect(read).toThrow(place);
    expect(read).not.toThrow(/king|secretField/);
  });

  it('use the numbers that this deployment gives to roles', async () => {
    const numbered = { ...env([{ ...INVOICES[0], roles: [0, 1, 2, 3, 40, 5, 6] }]), DESIGNER: '40' };
    await using main = await startService(createApp, { dialect, application: 'web', env: numbered });
    const designer = await insertTestMember(main.database, { memberships: { 1: 40 } });
    const me = await main.send('/auth/me', { token: designer.token, accountId: 1 });
    expect(await me.json()).toMatchObject({
      currentAccount: { permissions: expect.arrayContaining(['app.invoice.read']) },
    });
  });

  it('have names of one form in every request', async () => {
    await using main = await startService(createApp, { dialect, application: 'web', env: env(INVOICES) });
    const owner = await insertTestMember(main.database, { isConfirmed: true, memberships: { 1: 1 } });
    for (const name of ['app.', 'app.1', 'app..read', 'app.a b', `app.${'a'.repeat(70)}`]) {
      const body = { name: 'Clerk', roleType: 2, permissions: ['account.read', name] };
      const answer = await main.send('/v1/role/save', { token: owner.token, accountId: 1, body });
      expect([name, answer.status, await answer.text()]).toEqual([
        name,
        400,
        expect.stringContaining('permissions.1'),
      ]);
    }
  });
});
