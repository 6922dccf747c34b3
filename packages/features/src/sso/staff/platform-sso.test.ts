import { insertTestMember } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { startOauthWorld } from '../../test/oauth-world.js';

it('staff with base role 0 see the domains and connections of an account, and other staff do not', async () => {
  await using world = await startOauthWorld();
  const { db, main, admin, root } = world;
  const owner = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 1 } });
  const body = { domain: 'works.example' };
  const added = await main.send('/v1/sso/addDomain', { token: owner.token, accountId: 1, body });
  expect(added.status).toBe(200);
  const see = async (token: string, accountId: number) => {
    const response = await admin.send('/v1/platformSso/detail', { token, body: { accountId } });
    return [response.status, await response.json()];
  };
  expect(await see(root.token, 1)).toMatchObject([
    200,
    { data: { connections: [], domains: [{ domain: 'works.example', state: 'pending' }], required: false } },
  ]);
  expect(await see(root.token, 2)).toMatchObject([200, { data: { domains: [] } }]);
  const staff = await insertTestMember(db, { isPersonnel: true, roleType: 6, isConfirmed: true });
  expect(await see(staff.token, 1)).toMatchObject([403, { error: { code: 'permission_denied' } }]);
});
