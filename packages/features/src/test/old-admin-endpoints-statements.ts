import { insertTestMember } from '@gatehouse/testkit';
import { expect } from 'vitest';
import { OK, type OldStatement, refused, UNAUTHORIZED } from './old-statement.js';
import { OWNER, ROOT } from './old-world.js';

const rows = expect.any(Array) as unknown[];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Searches that read their text from a JSON body, with a GET and with a POST. */
const SEARCHES: readonly [path: string, body: object, found: unknown][] = [
  ['/getAccountNameList', { searchUser: 'birch' }, [{ id: 2, name: 'Birch & Co' }]],
  ['/searchAccountManagers', { search: 'staff' }, [{ id: 2 }]],
  ['/searchUser', { search: 'owner@cedar.test' }, [{ id: 9 }]],
  ['/searchAccountUser', { search: 'cedar' }, [{ id: 3 }]],
  ['/searchAffiliatePeople', { search: 'nobody of this name' }, []],
];

/** Which roles the search for account managers finds. */
const MANAGING_ACCOUNTS: readonly [role: number, finds: boolean][] = [
  [6, true],
  [4, true],
  [2, false],
  [1, false],
];

/** The endpoints of the admin service. */
export const ADMIN_STATEMENTS: readonly OldStatement[] = [
  ...SEARCHES.flatMap(([path, body, found]) =>
    ['GET', 'POST'].map(
      (method): OldStatement => ({
        says: `${method} ${path} reads its text from the JSON body`,
        ask: (world) => world.askRoot(method, path, body),
        answers: { ...OK, body: { data: found } },
      }),
    ),
  ),
  {
    says: 'somebody who is no staff signs in to the admin service',
    differs: 'Only staff sign in to the admin service',
    ask: (world) =>
      world.askAdmin('POST', '/webauthenticate', { body: { email: OWNER, password: 'Lantern-Harbor-42' } }),
    answers: refused(403, 'role_not_allowed'),
  },
  {
    says: 'GET /me finds a member by the auth_token in the Authorization header',
    ask: async (world) => {
      const { body } = await world.askAdmin('POST', '/auth/apiToken', { token: await world.signIn(ROOT) });
      const token = (body['data'] as { token?: string } | undefined)?.token ?? String(body['token']);
      return world.askAdmin('GET', '/me', { headers: { authorization: token } });
    },
    answers: { ...OK, body: { data: { id: 1 } } },
  },
  {
    says: 'GET /me takes the token of a social provider',
    differs: 'Social tokens are not accepted at `GET /me`',
    ask: (world) => world.askAdmin('GET', '/me', { headers: { authorization: 'ya29.of-a-provider' } }),
    answers: UNAUTHORIZED,
  },
  {
    says: 'POST /addOrUpdatePersonnel changes staff',
    ask: (world) =>
      world.askRoot('POST', '/addOrUpdatePersonnel', {
        personnelId: '2',
        role_type: '6',
        active: 1,
        accountIds: ['2'],
        email: '',
        firstName: null,
      }),
    answers: { ...OK, body: { data: { id: 2, grants: [{ accountId: 2 }] } } },
  },
  {
    says: 'POST /addOrUpdatePersonnel takes a form in which accountIds is repeated',
    ask: async (world) =>
      world.askAdmin('POST', '/addOrUpdatePersonnel', {
        token: await world.signIn(ROOT),
        headers: FORM,
        body: 'personnelId=2&role_type=6&active=true&accountIds=1&accountIds=2',
      }),
    answers: { ...OK, body: { data: { grants: [{ accountId: 1 }, { accountId: 2 }] } } },
  },
  {
    says: 'GET /getAllOwnerList lists owners',
    ask: (world) => world.askRoot('GET', '/getAllOwnerList'),
    answers: { ...OK, body: { data: rows } },
  },
  {
    says: 'GET /getPersonnel answers a member of staff',
    ask: (world) => world.askRoot('GET', '/getPersonnel/2'),
    answers: { ...OK, body: { data: { id: 2 } } },
  },
  {
    says: 'GET /getAccountsList never answers where there is nothing',
    differs: '`/RemoveSubject` works, and handlers that never answered',
    ask: (world) => world.askRoot('GET', '/getAccountsList'),
    answers: { ...OK, body: { data: rows } },
  },
  {
    says: 'GET /getAlltAccountMembers finds a part of a first name among the members of an owner’s accounts',
    ask: (world) => world.askRoot('GET', '/getAlltAccountMembers/3/0/a'),
    answers: { ...OK, body: { data: rows } },
  },
  {
    says: 'POST /updateUser changes names, and leaves what is empty or null',
    ask: (world) =>
      world.askRoot('POST', '/updateUser', {
        id: 5,
        fName: 'Cora',
        lName: null,
        email: '',
        role_type: null,
        role: '',
      }),
    answers: {
      ...OK,
      body: { data: { id: 5, firstName: 'Cora', email: 'contributor@acme.test', role_type: 3 } },
    },
  },
  {
    says: 'POST /updateUser changes the e-mail at once',
    differs: 'A new e-mail address counts once',
    ask: (world) => world.askRoot('POST', '/updateUser', { id: 5, email: 'new@acme.test' }),
    answers: { ...OK, body: { data: { email: 'contributor@acme.test', pendingEmail: 'new@acme.test' } } },
  },
  {
    says: 'POST /updateUser lets anybody give any role',
    differs: 'Nobody gives a role above their own',
    ask: async (world) =>
      world.askAdmin('POST', '/updateUser', {
        token: await world.signIn('staff@gatehouse.test'),
        account: 2,
        body: { id: 8, role_type: 0 },
      }),
    answers: { status: 403 },
  },
  {
    says: 'a new e-mail in POST /updateProfile belongs to the member whose session it is, like the names',
    ask: (world) => world.askRoot('POST', '/updateProfile', { firstName: 'Rosa', lastName: '' }),
    answers: { ...OK, body: { data: { id: 1, firstName: 'Rosa' } } },
  },
  {
    says: 'POST /NewAccManager gives a member the role of account managers',
    ask: (world) => world.askRoot('POST', '/NewAccManager', { memberId: '6' }),
    answers: { ...OK, body: { data: { id: 6, role_type: 6 } } },
  },
  {
    says: 'POST /deleteUser sets a flag, and sessions go on',
    differs: 'Access ends with the next request',
    ask: async (world) => {
      const token = await world.signIn('legacy@acme.test');
      await world.askAdmin('POST', '/deleteUser', {
        token: await world.signIn(ROOT),
        body: { userId: '11' },
      });
      return world.ask('GET', '/auth/me', { token });
    },
    answers: UNAUTHORIZED,
  },
  {
    says: 'POST /deleteAccount deletes an account',
    ask: (world) => world.askRoot('POST', '/deleteAccount', { accountId: '3' }),
    answers: OK,
  },
  {
    says: 'POST /addOrUpdatePersonnel creates staff',
    ask: (world) =>
      world.askRoot('POST', '/addOrUpdatePersonnel', {
        email: 'new.staff@gatehouse.test',
        firstName: 'Nora',
        lastName: 'North',
        role_type: 6,
      }),
    answers: { ...OK, body: { data: { firstName: 'Nora', role_type: 6, active: true } } },
  },
  {
    says: 'POST /addOrUpdatePersonnel never answers where there is a body',
    differs: '`/RemoveSubject` works, and handlers that never answered',
    ask: (world) => world.askRoot('POST', '/addOrUpdatePersonnel', { personnelId: 2 }),
    answers: { ...OK, body: { data: { id: 2 } } },
  },
  {
    says: 'GET /getAccountNameList never answers where there is nothing',
    differs: '`/RemoveSubject` works, and handlers that never answered',
    ask: (world) => world.askRoot('GET', '/getAccountNameList', { searchUser: 'nobody of this name' }),
    answers: { ...OK, body: { data: [] } },
  },
  {
    says: 'GET /getAllOwnerList has pages',
    ask: (world) => world.askRoot('GET', '/getAllOwnerList?limit=1'),
    answers: { ...OK, body: { page: { limit: 1, nextCursor: expect.any(String) as string } } },
  },
  ...MANAGING_ACCOUNTS.map(
    ([roleType, finds]): OldStatement => ({
      says: `searchAccountManagers finds ${finds ? 'a member' : 'no member'} of the role ${roleType}`,
      ask: async (world) => {
        const { email } = await insertTestMember(world.main.database, {
          roleType,
          memberships: { 1: roleType },
        });
        return world.askRoot('POST', '/searchAccountManagers', { search: email });
      },
      answers: { ...OK, body: { data: finds ? [{ role_type: roleType }] : [] } },
    }),
  ),
  {
    says: 'an account that POST /deleteAccount deleted is closed to its owner',
    ask: async (world) => {
      const token = await world.signIn('owner@cedar.test');
      await world.askRoot('POST', '/deleteAccount', { accountId: 3 });
      return world.ask('GET', '/getAllMemberslist', { token, account: 3 });
    },
    answers: refused(403, 'account_forbidden'),
  },
];
