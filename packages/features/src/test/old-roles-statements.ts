import { insertTestMember } from '@gatehouse/testkit';
import { OK, type OldStatement, refused } from './old-statement.js';
import { OWNER, PASSWORD, ROOT } from './old-world.js';

const CONTRIBUTING = ['account.read', 'member.list', 'conversation.read', 'social.connect'];
const MANAGING = [
  'account.read',
  'member.list',
  'member.manage',
  'conversation.read',
  'subject.remove',
  'social.connect',
  'knowledge.analyze',
];
const EVERYTHING = [
  'account.read',
  'account.manage',
  'member.list',
  'member.manage',
  'conversation.read',
  'subject.remove',
  'subscription.read',
  'billing.manage',
  'social.connect',
  'knowledge.analyze',
  'event.read',
  'event.manage',
  'key.manage',
  'app.manage',
  'sso.manage',
];

/** Each role: a member who has it, its number and its label. */
const LABELS: readonly [email: string, role: number, label: string][] = [
  [ROOT, 0, 'Admin'],
  [OWNER, 1, 'Owner'],
  ['manager@acme.test', 2, 'Manager/Collaborator'],
  ['contributor@acme.test', 3, 'Contributor'],
  ['designer@acme.test', 4, 'Designer'],
  ['member@acme.test', 5, 'User Member'],
  ['staff@gatehouse.test', 6, 'Account Manager'],
];

/** What a member of account 1 may do there. */
const RIGHTS: readonly [role: number, says: string, permissions: string[]][] = [
  [0, 'has full access to an account', EVERYTHING],
  [1, 'is equal to an administrator', EVERYTHING],
  [2, 'has fewer permissions than an owner', [...MANAGING, 'event.read']],
  [3, 'has few permissions', CONTRIBUTING],
  [4, 'has those of a contributor', CONTRIBUTING],
  [5, 'has the fewest', ['account.read', 'social.connect']],
  [6, 'has those of a manager, and reads subscriptions', [...MANAGING, 'subscription.read']],
];

/** The variables that give a role another number. */
const VARIABLES: readonly [name: string, label: string][] = [
  ['DESIGNER', 'Designer'],
  ['USER_MEMBER', 'User Member'],
  ['ACCOUNT_MANAGER', 'Account Manager'],
];

/** The roles, in the sessions and in the accounts. */
export const ROLE_STATEMENTS: readonly OldStatement[] = [
  ...LABELS.map(
    ([email, role]): OldStatement => ({
      says: `the role ${role} of ${email} is in the answer of the login`,
      ask: (world) => world.ask('POST', '/webauthenticate', { body: { email, password: PASSWORD } }),
      answers: { ...OK, body: { role } },
    }),
  ),
  ...LABELS.map(
    ([email, role_type, label]): OldStatement => ({
      says: `a member of role_type ${role_type} has the role ${label}`,
      ask: async (world) => world.ask('GET', '/auth/me', { token: await world.signIn(email) }),
      answers: { ...OK, body: { member: { role_type, role: label } } },
    }),
  ),
  ...RIGHTS.map(
    ([role, says, permissions]): OldStatement => ({
      says: `the role ${role} ${says}`,
      ask: async (world) => {
        const { token } = await insertTestMember(world.main.database, { memberships: { 1: role } });
        return world.ask('GET', '/auth/me', { token, account: 1 });
      },
      answers: { ...OK, body: { currentAccount: { accountId: 1, role, permissions } } },
    }),
  ),
  {
    says: 'a member of role 11 is archived and does not sign in',
    ask: (world) =>
      world.ask('POST', '/webauthenticate', { body: { email: 'archived@acme.test', password: PASSWORD } }),
    answers: refused(401, 'invalid_credentials'),
  },
  {
    says: 'the role 11 is labelled Disabled/Archived',
    differs: 'Flags in answers are',
    ask: async (world) =>
      world.ask('GET', '/getUserdetail10', { token: await world.signIn(OWNER), account: 1 }),
    answers: { ...OK, body: { data: { role_type: 11, role: 'Archived' } } },
  },
  ...VARIABLES.map(
    ([name, label]): OldStatement => ({
      says: `the variable ${name} gives the ${label} another number`,
      ask: async (world) => {
        await using other = await world.configured({ [name]: '47' });
        const { token } = await insertTestMember(world.main.database, { memberships: { 1: 47 } });
        return await other.ask('GET', '/auth/me', { token, account: 1 });
      },
      answers: { ...OK, body: { currentAccount: { role: 47, roleLabel: label } } },
    }),
  ),
  {
    says: 'a member has one role for themself and one in each account',
    ask: async (world) => world.ask('GET', '/auth/me', { token: await world.signIn(OWNER) }),
    answers: {
      ...OK,
      body: {
        member: { role_type: 1 },
        memberships: [
          { accountId: 1, role: 1 },
          { accountId: 2, role: 2 },
        ],
      },
    },
  },
];
