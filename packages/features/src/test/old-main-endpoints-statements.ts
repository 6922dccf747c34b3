import { facebookSignedRequest, simulatedClient } from '@gatehouse/simulator';
import { expect } from 'vitest';
import { OK, type OldStatement, refused } from './old-statement.js';
import { type OldWorld, OWNER } from './old-world.js';
import { socialSession } from './social-session.js';

const rows = expect.any(Array) as unknown[];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

function deleteData(world: OldWorld, userId: string) {
  const signed = facebookSignedRequest(simulatedClient('facebook').secret, { user_id: userId });
  const body = new URLSearchParams({ signed_request: signed }).toString();
  return world.ask('POST', '/social/facebook/dataDeletion', { headers: FORM, body });
}

/** The other endpoints of the main service. */
export const MAIN_STATEMENTS: readonly OldStatement[] = [
  {
    says: 'GET /getAllMemberslist lists members',
    ask: async (world) =>
      world.ask('GET', '/getAllMemberslist', { token: await world.signIn(OWNER), account: 1 }),
    answers: { ...OK, body: { data: rows } },
  },
  {
    says: 'GET /getAllMemberslist lists all members at once',
    differs: 'Lists return 50 rows',
    ask: async (world) =>
      world.ask('GET', '/getAllMemberslist?limit=2', { token: await world.signIn(OWNER), account: 1 }),
    answers: { ...OK, body: { page: { limit: 2, nextCursor: expect.any(String) as string } } },
  },
  {
    says: 'GET /getAllConversationlist lists conversations',
    ask: async (world) =>
      world.ask('GET', '/getAllConversationlist', { token: await world.signIn(OWNER), account: 1 }),
    answers: { ...OK, body: { data: rows } },
  },
  {
    says: 'POST /searchAllMembers finds a part of a username',
    ask: async (world) =>
      world.ask('POST', '/searchAllMembers', {
        token: await world.signIn(OWNER),
        account: 1,
        body: { username: 'NAGER' },
      }),
    answers: { ...OK, body: { data: [{ id: 4 }] } },
  },
  {
    says: 'POST /searchAccountUser finds the beginning of an account’s name',
    ask: async (world) =>
      world.ask('POST', '/searchAccountUser', { token: await world.signIn(OWNER), body: { search: 'acme' } }),
    answers: { ...OK, body: { data: [{ id: 1, name: 'Acme Studio' }] } },
  },
  {
    says: 'GET /getUserdetail with the number at its end answers a member',
    ask: async (world) =>
      world.ask('GET', '/getUserdetail4', { token: await world.signIn(OWNER), account: 1 }),
    answers: { ...OK, body: { data: { id: 4 } } },
  },
  {
    says: 'GET /getUserdetail never answers where nobody has the number',
    differs: '`/RemoveSubject` works, and handlers that never answered',
    ask: async (world) => world.ask('GET', '/getUserdetail999999', { token: await world.signIn(OWNER) }),
    answers: refused(404, 'not_found'),
  },
  {
    says: 'paths are read in any case and with a slash at the end',
    ask: async (world) =>
      world.ask('GET', '/GETALLMEMBERSLIST/', { token: await world.signIn(OWNER), account: 1 }),
    answers: OK,
  },
  ...['GET', 'POST'].map(
    (method): OldStatement => ({
      says: `${method} /getMemberschatMessages reads the member and the conversation of its JSON body`,
      ask: async (world) =>
        world.ask(method, '/getMemberschatMessages', {
          token: await world.signIn(OWNER),
          account: 1,
          body: { memberId: 3, conversationId: 1 },
        }),
      answers: { ...OK, body: { data: rows } },
    }),
  ),
  {
    says: 'POST /getMemberschatMessages takes a form with digits',
    ask: async (world) =>
      world.ask('POST', '/getMemberschatMessages', {
        token: await world.signIn(OWNER),
        headers: { ...FORM, Accountid: '1' },
        body: 'memberId=&conversationId=1',
      }),
    answers: { ...OK, body: { data: rows } },
  },
  {
    says: 'POST /RemoveSubject fails on every call',
    differs: '`/RemoveSubject` works',
    ask: async (world) =>
      world.ask('POST', '/RemoveSubject', {
        token: await world.signIn(OWNER),
        account: 1,
        body: { subjectId: '1' },
      }),
    answers: OK,
  },
  {
    says: 'POST /RemoveSubject needs an account',
    ask: async (world) =>
      world.ask('POST', '/RemoveSubject', { token: await world.signIn(OWNER), body: { subjectId: 1 } }),
    answers: refused(400, 'account_required'),
  },
  {
    says: 'an Accountid that is empty or the word null is no account',
    ask: async (world) =>
      world.ask('GET', '/auth/me', { token: await world.signIn(OWNER), headers: { Accountid: 'null' } }),
    answers: OK,
  },
  {
    says: 'a data deletion that the network signed with HMAC-SHA256 answers a url and a confirmation_code',
    ask: (world) => deleteData(world, '4711'),
    answers: {
      status: 200,
      body: {
        url: expect.stringMatching(/\/social\/facebook\/dataDeletion\/[0-9a-f]{32}$/) as string,
        confirmation_code: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      },
    },
  },
  {
    says: 'a data deletion removes the connection',
    ask: async (world) => {
      const person = { id: '4712', email: 'deleted.data@example.org' };
      const { token } = await socialSession(world.main, 'facebook', person);
      const { body } = await world.ask('GET', '/auth/connections', { token });
      await deleteData(world, person.id);
      const answer = await world.ask('GET', '/auth/connections', { token });
      return { ...answer, text: String((body['data'] as unknown[]).length) };
    },
    answers: { ...OK, body: { data: [] }, text: '1' },
  },
  {
    says: 'the url of a data deletion shows what became of it',
    ask: async (world) => {
      const { body } = await deleteData(world, '4713');
      return world.ask('GET', new URL(String(body['url'])).pathname);
    },
    answers: { status: 200, text: expect.stringContaining('was deleted on') as string },
  },
  {
    says: 'a data deletion without a valid signature is refused',
    ask: (world) =>
      world.ask('POST', '/social/facebook/dataDeletion', { headers: FORM, body: 'signed_request=a.b' }),
    answers: { status: 400 },
  },
  {
    says: 'invalid input is a 500',
    differs: 'Invalid input is 400 with `issues`, not 500',
    ask: async (world) =>
      world.ask('POST', '/RemoveSubject', {
        token: await world.signIn(OWNER),
        account: 1,
        body: { subjectId: {} },
      }),
    answers: refused(400, 'invalid_input'),
  },
  {
    says: 'a path that nobody knows is not found',
    ask: (world) => world.ask('GET', '/noSuchPath'),
    answers: { status: 404 },
  },
];
