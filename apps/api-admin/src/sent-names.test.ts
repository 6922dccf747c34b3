import { startStaffWorld } from '@gatehouse/features/test/staff-world';
import { describe, expect, it } from 'vitest';

/** Requests of older clients with a wrong value in every field, under the names they send. */
const WRONG: readonly (readonly [path: string, body: object | undefined, names: readonly string[]])[] = [
  [
    '/addOrUpdatePersonnel',
    { personnelId: 2, role_type: 'x', accountIds: [1, 'x'] },
    ['accountIds.1', 'role_type'],
  ],
  ['/addOrUpdatePersonnel', { personnelId: 2, role_type: 99 }, ['role_type']],
  ['/updateUser', { id: 'x', role_type: [], fName: 5, lName: {} }, ['fName', 'id', 'lName', 'role_type']],
  ['/deleteUser', { userId: 'x' }, ['userId']],
  ['/NewAccManager', { memberId: 'x' }, ['memberId']],
  ['/analyzeKnowledge', { AccountId: 'x', languageModelId: 'm', topic: 't' }, ['AccountId']],
  ['/getPersonnel/x', undefined, ['pId']],
  ['/getAffiliateMarketingURL/x', undefined, ['pId']],
  ['/getAlltAccountMembers/x/y/z', undefined, ['mId', 'pId']],
  ['/getAccountNameList', { searchUser: 5 }, ['searchUser']],
];

describe('the issues of a refused request', () => {
  it.each(WRONG)('name the fields of %s %j as they were sent', async (path, body, names) => {
    await using world = await startStaffWorld();
    const answer = await world.send(path, world.root, body);
    const { issues } = answer.body['error'] as { issues: { path: string }[] };
    expect([answer.status, issues.map((issue) => issue.path).toSorted()]).toEqual([400, names]);
  });

  it('use the names of the input over tRPC and on derived paths', async () => {
    await using world = await startStaffWorld();
    const input = { memberId: 4, roleType: 'x', firstName: 5 };
    const derived = await world.send('/v1/member/update', world.root, input);
    expect(derived.body).toMatchObject({ error: { issues: [{ path: 'firstName' }, { path: 'roleType' }] } });
    const response = await world.service.send('/trpc/member.update', {
      token: world.root.token,
      body: input,
    });
    expect(await response.json()).toMatchObject({
      error: { data: { issues: [{ path: 'firstName' }, { path: 'roleType' }] } },
    });
  });

  it('use the same names in problem details', async () => {
    await using world = await startStaffWorld();
    const response = await world.service.send('/deleteUser', {
      token: world.root.token,
      body: { userId: 'x' },
      headers: { accept: 'application/problem+json' },
    });
    expect(await response.json()).toMatchObject({ issues: [{ path: 'userId' }] });
  });
});
