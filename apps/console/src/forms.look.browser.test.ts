import { insertTestMember, type TestMember } from '@gatehouse/testkit';
import { screenShown } from '@gatehouse/testkit/browser';
import { countOf, type FormCase, formCase, walkForms } from '@gatehouse/testkit/forms';
import { describe, inject } from 'vitest';
import { type OpenConsole, openConsole, type Page } from './test/open-console.js';

/** The subject of a form: a member of an account that the test created, and staff who look at it. */
interface Opened {
  readonly staffId: number;
  readonly member: TestMember;
}

/** Opens a screen as staff of role 0, in which `$` stands for a new member of the account 1. */
async function visit({ service, at }: OpenConsole, page: Page, screen: string): Promise<Opened> {
  const staff = await insertTestMember(service.database, {
    roleType: 0,
    isPersonnel: true,
    isConfirmed: true,
  });
  const member = await insertTestMember(service.database, { isConfirmed: true, memberships: { 1: 5 } });
  await page
    .context()
    .addCookies([{ name: 'gatehouse-dev-admin', value: staff.token, domain: 'localhost', path: '/' }]);
  await page.goto(at(screen.replace('$', String(member.id))));
  await screenShown(page);
  return { staffId: staff.id, member };
}

/** Chooses from the menu of the last test member. */
async function pressOf(page: Page, name: RegExp): Promise<void> {
  await page
    .getByRole('button', { name: /^Actions for Test Member/ })
    .last()
    .click();
  await page.getByRole('button', { name }).click();
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const says = (text: string) => (page: Page) => page.getByText(text).first().waitFor();

/** How often the staff did something, by the entries in the audit log. */
const acts =
  (action: string) =>
  (console: OpenConsole, { staffId }: Opened) =>
    countOf(console, 'auditLog', (line) => line.action === action && line.actorId === staffId);

const REASON = { label: 'Reason', path: 'reason' };

/** Every form that changes something about a member or an account. */
const FORMS: Readonly<Record<string, FormCase<OpenConsole>>> = {
  'inviting somebody': formCase({
    async open(console, page) {
      const opened = await visit(console, page, 'accounts/1/members');
      await press(page, 'Invite people');
      return opened;
    },
    typed: ({ member }) => ({ 'Email address': `x${member.id}@new.test`, Role: 'Designer' }),
    submit: 'Send invitation',
    call: 'invitation.create',
    refused: { label: 'Email address', path: 'email' },
    done: says('Invitation sent to'),
    effects: (console, { member }) =>
      countOf(console, 'invitations', ({ email }) => email === `x${member.id}@new.test`),
  }),
  'changing a role': formCase({
    async open(console, page) {
      const opened = await visit(console, page, 'accounts/1/members');
      await pressOf(page, /^Change role Test Member/);
      return opened;
    },
    typed: () => ({ Role: 'Designer' }),
    submit: 'Save role',
    call: 'membership.save',
    done: says('role is now Designer.'),
    effects: acts('membership.changed'),
  }),
  'removing somebody': formCase({
    async open(console, page) {
      const opened = await visit(console, page, 'accounts/1/members');
      await pressOf(page, /^Remove Test Member/);
      return opened;
    },
    typed: () => ({}),
    submit: 'Remove member',
    call: 'membership.remove',
    done: says('was removed.'),
    effects: acts('membership.removed'),
  }),
  'handing an account over': formCase({
    async open(console, page) {
      const opened = await visit(console, page, 'accounts/1/members');
      await pressOf(page, /^Transfer ownership… Test Member/);
      return opened;
    },
    typed: () => ({ Reason: 'The owner left' }),
    submit: 'Transfer ownership',
    call: 'account.transferOwnership',
    refused: REASON,
    done: says('is now the owner.'),
    effects: acts('account.ownership-moved'),
  }),
  'making a role': formCase({
    async open(console, page) {
      const opened = await visit(console, page, 'accounts/1');
      await press(page, 'New role');
      return opened;
    },
    typed: ({ member }) => ({ Name: `Role ${member.id}` }),
    submit: 'Create role',
    call: 'role.save',
    refused: { label: 'Name', path: 'name' },
    done: says('was created.'),
    again: says('There is already a role with this name.'),
    effects: acts('role.made'),
  }),
  'registering an application': formCase({
    async open(console, page) {
      const opened = await visit(console, page, 'developers/applications');
      await press(page, 'Register application');
      return opened;
    },
    typed: () => ({
      Name: 'Wiki',
      'Redirect URIs': 'https://wiki.example.com/callback',
      'Member ID (sub)': 'A separate ID (pairwise)',
    }),
    submit: 'Register application',
    call: 'platformApp.save',
    isAnother: true,
    refused: { label: 'Member ID (sub)', path: 'subjectType' },
    done: says('Wiki was registered.'),
    effects: acts('application.added'),
  }),
  'extending a trial': formCase({
    async open(console, page) {
      const opened = await visit(console, page, 'accounts/3/billing');
      await press(page, 'Extend trial');
      return opened;
    },
    typed: () => ({ Reason: 'They wait for their card' }),
    submit: 'Extend trial',
    call: 'subscription.extendTrial',
    refused: REASON,
    done: says('was extended until'),
    effects: acts('subscription.trial-extended'),
  }),
  'banning somebody': formCase({
    async open(console, page) {
      const opened = await visit(console, page, 'members/$');
      await press(page, 'More actions');
      await press(page, 'Ban');
      return opened;
    },
    typed: () => ({ Reason: 'Sells tickets' }),
    submit: 'Ban',
    call: 'member.ban',
    refused: REASON,
    done: says('Banned. Access has ended.'),
    effects: acts('member.banned'),
  }),
  'another name': formCase({
    open: (console, page) => visit(console, page, 'members/$/edit'),
    typed: () => ({ 'First name': 'Another', 'Last name': 'Name' }),
    submit: 'Save',
    call: 'member.update',
    refused: { label: 'First name', path: 'firstName' },
    done: says('Saved'),
    effects: acts('member.updated'),
  }),
  'deleting somebody': formCase({
    async open(console, page) {
      const opened = await visit(console, page, 'members/$');
      await press(page, 'More actions');
      await press(page, 'Delete member');
      return opened;
    },
    typed: ({ member }) => ({ 'Type it here': member.email }),
    submit: 'Delete member',
    call: 'member.remove',
    refused: { label: 'Type it here', path: 'typed' },
    done: says('Test Member was deleted.'),
    effects: acts('member.removed'),
  }),
  'bringing somebody back': formCase({
    async open(console, page) {
      const opened = await visit(console, page, 'members');
      const memberId = opened.member.id;
      const root = await insertTestMember(console.service.database, { roleType: 0, isPersonnel: true });
      await console.service.send('/v1/member/remove', { token: root.token, body: { memberId } });
      await page.goto(console.at(`members/${memberId}`));
      await press(page, 'Restore');
      return opened;
    },
    typed: () => ({ Reason: 'By mistake' }),
    submit: 'Restore',
    call: 'member.restore',
    refused: REASON,
    done: says('Test Member was restored.'),
    effects: acts('member.restored'),
  }),
};

describe('a form of the console', () => {
  walkForms(() => openConsole(inject('dialect')), FORMS, 'extending a trial');
});
