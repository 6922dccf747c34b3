import { findCredential } from '@gatehouse/db/queries/passwords';
import { expect } from 'vitest';
import { OK, type OldStatement, refused } from './old-statement.js';
import { newPerson, type OldWorld, OWNER, PASSWORD, ROOT } from './old-world.js';

const login = { email: OWNER, password: PASSWORD };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const anyText = expect.any(String) as string;
const base64 = (text: string) => Buffer.from(text).toString('base64');

async function oneTimePassword(world: OldWorld, email: string): Promise<string> {
  await world.ask('POST', '/Adminsignin', { body: { email } });
  return /^ {4}([0-9a-f]{6})$/m.exec(await world.mailTo(email, 'oneTimePassword'))?.[1] ?? '';
}

/** The logins, registration and one-time passwords. */
export const LOGIN_STATEMENTS: readonly OldStatement[] = [
  {
    says: 'POST /login answers the member and a token of id, time and id',
    ask: (world) => world.ask('POST', '/login', { body: login }),
    answers: {
      ...OK,
      body: { data: { id: 3, sid: OWNER }, access_token: expect.stringMatching(/^3_\d+_3$/) as string },
    },
  },
  {
    says: 'the member in an answer has the password and a constant auth_pass',
    differs: 'No response or log contains a secret',
    ask: async (world) => {
      const answer = await world.ask('POST', '/login', { body: login });
      const names = Object.keys(answer.body['data'] as object);
      return { ...answer, body: { leaked: names.filter((name) => /pass|hash|token/i.test(name)) } };
    },
    answers: { status: 200, body: { leaked: [] } },
  },
  {
    says: 'POST /login compares the password as plain text',
    differs: 'Passwords are compared with bcrypt, or once with the marked hash of another system',
    ask: (world) => world.ask('POST', '/login', { body: login }),
    answers: OK,
  },
  {
    says: 'the stored hash of a password is accepted as the password',
    differs: 'Passwords are compared with bcrypt, or once with the marked hash of another system',
    ask: async (world) => {
      const { password = '' } = (await findCredential(world.main.database, OWNER)) ?? {};
      const answer = await world.ask('POST', '/webauthenticate', { body: { email: OWNER, password } });
      return { ...answer, text: password };
    },
    answers: { ...refused(401, 'invalid_credentials'), text: expect.stringMatching(/^\$2b\$10\$/) as string },
  },
  {
    says: 'a login writes the password and the stored hash to the log',
    differs: 'No response or log contains a secret',
    ask: async (world) => {
      const { logLines, database } = world.main;
      const answer = await world.ask('POST', '/webauthenticate', { body: login });
      const { password: stored = 'none' } = (await findCredential(database, OWNER)) ?? {};
      const log = logLines.join('');
      return {
        ...answer,
        body: { logged: log.includes('"login.ok"'), leaked: log.includes(PASSWORD) || log.includes(stored) },
      };
    },
    answers: { status: 200, body: { logged: true, leaked: false } },
  },
  {
    says: 'a login matches the e-mail with the login identifier',
    ask: (world) => world.ask('POST', '/webauthenticate', { body: { sid: OWNER, password: PASSWORD } }),
    answers: { ...OK, body: { userId: 3 } },
  },
  {
    says: 'POST /authenticate answers a bearer token',
    ask: (world) => world.ask('POST', '/authenticate', { body: login }),
    answers: { ...OK, body: { token: anyText, userId: 3 } },
  },
  {
    says: 'POST /authenticate answers staff too',
    ask: (world) => world.askAdmin('POST', '/authenticate', { body: { email: ROOT, password: PASSWORD } }),
    answers: { ...OK, body: { userId: 1, isPersonnel: true } },
  },
  {
    says: 'POST /webauthenticate answers token, member, role and account',
    ask: (world) =>
      world.ask('POST', '/webauthenticate', { body: login, headers: { Apptype: base64('web') } }),
    answers: { ...OK, body: { token: anyText, userId: 3, role: 1, accountId: 1 } },
  },
  {
    says: 'POST /webauthenticate takes a form',
    ask: (world) =>
      world.ask('POST', '/webauthenticate', {
        headers: FORM,
        body: `email=${encodeURIComponent(OWNER)}&password=${PASSWORD}&tempLogin=false&social=false&token=`,
      }),
    answers: { ...OK, body: { userId: 3 } },
  },
  {
    says: 'the console signs in at /webauthenticate of the admin service',
    ask: (world) =>
      world.askAdmin('POST', '/webauthenticate', {
        body: { email: ROOT, password: PASSWORD },
        headers: { Apptype: base64('admin') },
      }),
    answers: { ...OK, body: { userId: 1, role: 0 } },
  },
  {
    says: 'a role that the application does not take is 403',
    ask: (world) =>
      world.ask('POST', '/webauthenticate', { body: login, headers: { Apptype: base64('designer') } }),
    answers: refused(403, 'role_not_allowed'),
  },
  {
    says: 'an Apptype that is not base64 is a 500',
    differs: 'Invalid input is 400 with `issues`, not 500',
    ask: (world) => world.ask('POST', '/webauthenticate', { body: login, headers: { Apptype: '!!' } }),
    answers: refused(400, 'invalid_apptype'),
  },
  {
    says: 'a wrong password is the envelope with status false, some with 200 and some with 500',
    differs: 'Failed logins are 401 with the envelope',
    ask: (world) =>
      world.ask('POST', '/webauthenticate', { body: { email: OWNER, password: 'wrong wrong' } }),
    answers: refused(401, 'invalid_credentials'),
  },
  {
    says: 'a login without a password throws',
    differs: 'Invalid input is 400 with `issues`, not 500',
    ask: (world) => world.ask('POST', '/authenticate', { body: { email: OWNER } }),
    answers: { ...refused(400, 'invalid_input'), body: { error: { issues: [{ path: 'password' }] } } },
  },
  {
    says: 'social: true is accepted without a password and without proof',
    differs: '`social: true` needs the unused callback token',
    ask: (world) => world.ask('POST', '/webauthenticate', { body: { email: OWNER, social: true } }),
    answers: refused(403, 'invalid_token'),
  },
  {
    says: 'tempLogin with a bad token is 403 with the response object, and a 500 may follow',
    ask: (world) => world.ask('POST', '/webauthenticate', { body: { tempLogin: true, token: 'bad' } }),
    answers: refused(403, 'invalid_token'),
  },
  {
    says: 'tempLogin takes any valid token, a session too',
    differs: '`tempLogin` refuses session tokens',
    ask: async (world) =>
      world.ask('POST', '/webauthenticate', { body: { tempLogin: true, token: await world.signIn(OWNER) } }),
    answers: refused(403, 'invalid_token'),
  },
  {
    says: 'a designer signs in at /desigrauthenticate, with a password in plain text',
    differs: 'Passwords are compared with bcrypt, or once with the marked hash of another system',
    ask: (world) =>
      world.ask('POST', '/desigrauthenticate', { body: { email: 'designer@acme.test', password: PASSWORD } }),
    answers: { ...OK, body: { userId: 6, role: 4 } },
  },
  {
    says: 'logins are not limited',
    differs: 'Logins, one-time passwords, registration, mails',
    ask: async (world) => {
      const body = { email: 'nobody@limits.example', password: 'wrong wrong' };
      for (let tries = 0; tries < 20; tries += 1) await world.ask('POST', '/authenticate', { body });
      return world.ask('POST', '/authenticate', { body });
    },
    answers: {
      ...refused(429, 'rate_limited'),
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) as string },
    },
  },
  {
    says: 'POST /Adminsignin mails three random bytes in hex',
    ask: async (world) => {
      const answer = await world.ask('POST', '/Adminsignin', { body: { email: ROOT } });
      return { ...answer, text: await world.mailTo(ROOT, 'oneTimePassword') };
    },
    answers: { ...OK, text: expect.stringMatching(/^ {4}[0-9a-f]{6}$/m) as string },
  },
  {
    says: 'POST /Adminsignin mails anybody',
    differs: 'One-time passwords are sent to roles 0, 1 and staff only',
    ask: async (world) => {
      const answer = await world.ask('POST', '/Adminsignin', { body: { email: 'member@acme.test' } });
      return { ...answer, text: await world.mailTo('member@acme.test', 'oneTimePassword') };
    },
    answers: { ...OK, text: '' },
  },
  {
    says: 'POST /Adminlogin takes the mailed password and ends nothing of a member whose address was proven',
    ask: async (world) => {
      const token = await world.signIn('owner@birch.test');
      const password = await oneTimePassword(world, 'owner@birch.test');
      const body = { email: 'owner@birch.test', password };
      const answer = await world.ask('POST', '/Adminlogin', { body });
      const before = await world.ask('GET', '/auth/me', { token });
      await world.signIn('owner@birch.test');
      return { ...answer, text: String(before.status) };
    },
    answers: { ...OK, body: { token: anyText, userId: 8 }, text: '200' },
  },
  {
    says: 'a one-time password works until the next one is asked for',
    differs: 'A one-time password lives ten minutes',
    ask: async (world) => {
      const password = await oneTimePassword(world, 'owner@cedar.test');
      const body = { email: 'owner@cedar.test', password };
      await world.ask('POST', '/Adminlogin', { body });
      return world.ask('POST', '/Adminlogin', { body });
    },
    answers: refused(401, 'invalid_credentials'),
  },
  {
    says: 'POST /register answers an encrypted token of the member with payment provider 2',
    ask: async (world) => {
      const answer = await world.ask('POST', '/register', { body: newPerson() });
      return { ...answer, text: String(world.open(String(answer.body['token']))['defaultPaymentId']) };
    },
    answers: { ...OK, body: { userId: expect.any(Number) as number }, text: '2' },
  },
  {
    says: 'a username is unique at registration',
    ask: (world) => world.ask('POST', '/register', { body: { ...newPerson(), username: 'owner.acme' } }),
    answers: refused(409, 'username_taken'),
  },
  {
    says: 'a registration mails an activation link',
    ask: async (world) => {
      const person = newPerson();
      const answer = await world.ask('POST', '/register', { body: person });
      return { ...answer, text: await world.mailTo(person.email, 'activation') };
    },
    answers: { ...OK, text: expect.stringContaining('token=') as string },
  },
  {
    says: 'any password may be registered',
    differs: 'A new password has at least 8 characters',
    ask: (world) => world.ask('POST', '/register', { body: { ...newPerson(), password: 'short' } }),
    answers: refused(400, 'invalid_input'),
  },
  {
    says: 'opening the activation link confirms the address',
    differs: 'The link in a mail only shows a page',
    ask: async (world) => {
      const person = newPerson();
      await world.ask('POST', '/register', { body: person });
      const token = /token=([\w.-]+)/.exec(await world.mailTo(person.email, 'activation'))?.[1] ?? '';
      await world.ask('GET', `/confirmationDetails?token=${token}`);
      return world.ask('GET', `/confirmationDetails?token=${token}`);
    },
    answers: { ...OK, body: { alreadyConfirmed: false } },
  },
];
