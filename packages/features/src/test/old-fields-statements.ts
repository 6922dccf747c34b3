import { insertTestMember } from '@gatehouse/testkit';
import { expect } from 'vitest';
import { changeColumn } from './change-column.js';
import { OK, type OldStatement, refused } from './old-statement.js';
import { type OldWorld, OWNER } from './old-world.js';

const aText = expect.any(String) as string;

/** The fields of a member, as the manager of account 1 has them. */
const MEMBER_FIELDS: readonly [name: string, type: string, value: unknown][] = [
  ['id', 'number', 4],
  ['sid', 'text', 'manager@acme.test'],
  ['username', 'text', 'manager.acme'],
  ['role_type', 'number', 2],
  ['role', 'text', 'Manager/Collaborator'],
  ['firstName', 'text', aText],
  ['lastName', 'text', aText],
];

/** The places where the replaced system showed members. */
const SHOWING_MEMBERS: readonly [method: string, path: string, body?: object][] = [
  ['GET', '/getUserdetail4'],
  ['GET', '/getAllMemberslist'],
  ['POST', '/searchAllMembers', { username: 'manager' }],
];

const SECRET_NAMES = ['password', 'auth_pass', 'access_token', 'auth_token'];

const askOwner = async (world: OldWorld, method: string, path: string, body?: object) =>
  world.ask(method, path, { token: await world.signIn(OWNER), account: 1, body });

/** What a member gets in account 1, or a member of staff, whose row there has a flag changed. */
async function askWithFlag(
  world: OldWorld,
  table: 'memberships' | 'personnel_grants',
  flag: [string, number],
) {
  const isStaff = table === 'personnel_grants';
  const place = isStaff ? { isPersonnel: true, roleType: 6, grants: [1] } : { memberships: { 1: 2 } };
  const { id, token } = await insertTestMember(world.main.database, place);
  const [column, value] = flag;
  const by = isStaff ? 'personnel_id' : 'member_id';
  await changeColumn(world.main.database, { table, column, by, id }, value);
  return world.ask('GET', '/getAllMemberslist', { token, account: 1 });
}

/** The fields of members, memberships, grants of staff and partners. */
export const FIELD_STATEMENTS: readonly OldStatement[] = [
  ...MEMBER_FIELDS.map(
    ([name, type, value]): OldStatement => ({
      says: `the field ${name} of a member is a ${type}`,
      ask: (world) => askOwner(world, 'GET', '/getUserdetail4'),
      answers: { ...OK, body: { data: { [name]: value } } },
    }),
  ),
  ...SHOWING_MEMBERS.map(
    ([method, path, body]): OldStatement => ({
      says: `members at ${method} ${path} have a password, the one-time password and the auth token`,
      differs: 'No response or log contains a secret',
      ask: async (world) => {
        await world.ask('POST', '/Adminsignin', { body: { email: 'manager@acme.test' } });
        const answer = await askOwner(world, method, path, body);
        return { ...answer, text: SECRET_NAMES.filter((name) => answer.text.includes(`"${name}"`)).join() };
      },
      answers: { ...OK, body: { data: expect.anything() as unknown }, text: '' },
    }),
  ),
  {
    says: 'a deleted member is shown with isDeleted: 1',
    differs: 'Flags in answers are',
    ask: async (world) => {
      const { id } = await insertTestMember(world.main.database, { memberships: { 1: 5 } });
      const before = await askOwner(world, 'GET', `/getUserdetail${id}`);
      await world.askRoot('POST', '/deleteUser', { userId: id });
      return { ...(await askOwner(world, 'GET', `/getUserdetail${id}`)), text: String(before.status) };
    },
    answers: { ...refused(404, 'not_found'), text: '200' },
  },
  {
    says: 'a membership has memberId, accountId and roleType, which are numbers',
    ask: async (world) => {
      const { id } = await insertTestMember(world.main.database);
      const answer = await world.askRoot('POST', '/v1/membership/save', {
        memberId: id,
        accountId: 2,
        roleType: 3,
      });
      return { ...answer, text: String(id) };
    },
    answers: {
      ...OK,
      body: { data: { memberId: expect.any(Number) as number, accountId: 2, roleType: 3 } },
    },
  },
  {
    says: 'active of a membership is 0 or 1',
    differs: 'Flags in answers are',
    ask: async (world) => {
      const { id } = await insertTestMember(world.main.database);
      return world.askRoot('POST', '/v1/membership/save', { memberId: id, accountId: 2, roleType: 3 });
    },
    answers: { ...OK, body: { data: { active: true } } },
  },
  {
    says: 'a membership counts only while isDeleted is 0',
    ask: (world) => askWithFlag(world, 'memberships', ['is_deleted', 1]),
    answers: refused(403, 'account_forbidden'),
  },
  {
    says: 'a membership counts only while active is 1',
    ask: (world) => askWithFlag(world, 'memberships', ['active', 0]),
    answers: refused(403, 'account_forbidden'),
  },
  {
    says: 'a grant of staff counts while isDeleted is 0 and active is 1',
    ask: (world) => askWithFlag(world, 'personnel_grants', ['active', 1]),
    answers: OK,
  },
  {
    says: 'a grant of staff counts only while isDeleted is 0',
    ask: (world) => askWithFlag(world, 'personnel_grants', ['is_deleted', 1]),
    answers: refused(403, 'account_forbidden'),
  },
  {
    says: 'a grant of staff counts only while active is 1',
    ask: (world) => askWithFlag(world, 'personnel_grants', ['active', 0]),
    answers: refused(403, 'account_forbidden'),
  },
  {
    says: 'active of staff and of their grants is 0 or 1',
    differs: 'Flags in answers are',
    ask: (world) => world.askRoot('GET', '/getPersonnel/2'),
    answers: { ...OK, body: { data: { active: true, grants: [{ accountId: 2, active: true }] } } },
  },
  {
    says: 'a partner has partnerId, partnerName and appUrl',
    differs: 'Flags in answers are',
    ask: (world) => world.askRoot('POST', '/v1/partner/list'),
    answers: {
      ...OK,
      body: { data: [{ name: 'acme-partner', externalId: null, appUrl: 'http://127.0.0.1:4010' }] },
    },
  },
  {
    says: 'a partner is kept with its secretKey, its newest token as pToken, and the time when that ends',
    differs: 'No response or log contains a secret',
    ask: async (world) => {
      const token = await world.partnerToken();
      const answer = await world.askRoot('POST', '/v1/partner/list');
      const shown = ['secretKey', 'pToken', 'demo-secret', token].filter((text) =>
        answer.text.includes(text),
      );
      return { ...answer, text: shown.join() };
    },
    answers: { ...OK, body: { data: [{ lastUsedAt: aText }] }, text: '' },
  },
];
