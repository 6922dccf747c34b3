import { sealCancelToken } from '@gatehouse/features/authentication/recovery/close-recovery';
import { signIn } from '@gatehouse/testkit';
import { describe } from 'vitest';
import { countOf, type FormCase, formCase, walkForms } from '../test/forms.js';
import { type OpenPortal, PASSWORD } from '../test/open-portal.js';
import { addMember, addMemberWithApp, mailTo } from '../test/people.js';
import { openRecovery } from '../test/recoveries.js';

const NEW_PASSWORD = 'Copper-Meadow-17';

type Page = OpenPortal['page'];
let people = 0;
function newName(): string {
  people += 1;
  return `newcomer${people}`;
}

const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
const alert = (text: string) => (page: Page) => page.getByRole('alert').getByText(text).waitFor();
const isIn = heading(/^You are signed in as/);

/** Whether the member has a session besides the one that a test made. */
const entered = (portal: OpenPortal, { id }: { readonly id: number }) =>
  countOf(portal, 'sessions', ({ memberId, device }) => memberId === id && device !== 'test').then(Math.sign);

async function firstStep({ at }: OpenPortal, page: Page, email: string): Promise<void> {
  await page.goto(at('sign-in'));
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
}

/** Whether the member used the ticket of their recovery. */
const usedTicket = (portal: OpenPortal, { id }: { readonly id: number }) =>
  countOf(portal, 'recoveries', ({ memberId, ticketUsedAtMs }) => memberId === id && ticketUsedAtMs !== null);

/** Every form for people who are not signed in. */
const FORMS: Readonly<Record<string, FormCase>> = {
  'signing in': formCase({
    async open(portal, page) {
      const member = await addMember(portal);
      await page.goto(portal.at('sign-in'));
      return member;
    },
    typed: ({ email }) => ({ 'E-mail': email, Password: PASSWORD }),
    submit: 'Sign in',
    call: 'signIn.password',
    isRepeated: true,
    refused: { label: 'E-mail', path: 'email' },
    done: isIn,
    effects: entered,
  }),
  registering: formCase({
    async open({ at }, page) {
      await page.goto(at('register'));
      return newName();
    },
    typed: (name) => ({ 'E-mail': `${name}@new.test`, Name: name, Password: PASSWORD }),
    submit: 'Create my account',
    call: 'registration.register',
    refused: { label: 'Name', path: 'username' },
    done: heading('You are in. Now check your mail.'),
    effects: (portal, name) => countOf(portal, 'members', ({ username }) => username === name),
  }),
  'asking for a new password': formCase({
    async open(portal, page) {
      const { email } = await addMember(portal);
      await page.goto(portal.at('forgot'));
      return email;
    },
    typed: (email) => ({ 'E-mail': email }),
    submit: 'Send me a link',
    call: 'password.forgot',
    isAnother: true,
    refused: { label: 'E-mail', path: 'email' },
    done: heading('Check your mail.'),
    effects: (portal, email) =>
      countOf(portal, 'mailOutbox', ({ kind, recipient }) => kind === 'passwordReset' && recipient === email),
  }),
  'setting a new password': formCase({
    async open(portal, page) {
      const member = await addMember(portal);
      await portal.service.send('/forgotPassword', { body: { email: member.email } });
      const { link } = await mailTo(portal, member.email, 'passwordReset');
      await page.goto(link);
      await page.getByLabel('New password').waitFor();
      return member;
    },
    typed: () => ({ 'New password': NEW_PASSWORD }),
    submit: 'Set this password',
    call: 'password.reset',
    refused: { label: 'New password', path: 'password' },
    done: heading('Your password is set.'),
    effects: (portal, { id }) =>
      countOf(
        portal,
        'auditLog',
        ({ action, subjectId }) => action === 'password.reset' && subjectId === String(id),
      ),
    again: heading('Your new password may be set already.'),
  }),
  'confirming an address': formCase({
    async open(portal, page) {
      const name = newName();
      const email = `${name}@new.test`;
      await portal.service.send('/register', { body: { email, username: name, password: PASSWORD } });
      await page.goto((await mailTo(portal, email, 'activation')).link);
      await page.getByLabel('Password').waitFor();
      return name;
    },
    typed: () => ({ Password: PASSWORD }),
    submit: 'Yes, confirm my address',
    call: 'registration.confirm',
    refused: { label: 'Password', path: 'password' },
    done: heading('Your address is confirmed.'),
    effects: (portal, name) =>
      countOf(
        portal,
        'members',
        ({ username, emailConfirmedAtMs }) => username === name && emailConfirmedAtMs !== null,
      ),
  }),
  'asking for a code': formCase({
    async open(portal, page) {
      const { email } = await addMember(portal);
      await page.goto(portal.at('code'));
      return email;
    },
    typed: (email) => ({ 'E-mail': email }),
    submit: 'Send me a mail',
    call: 'signIn.requestEmail',
    isAnother: true,
    refused: { label: 'E-mail', path: 'email' },
    done: heading('Check your mail.'),
    effects: (portal, email) =>
      countOf(portal, 'mailOutbox', ({ kind, recipient }) => kind === 'signInCode' && recipient === email),
  }),
  'entering a mailed code': formCase({
    async open(portal, page) {
      const member = await addMember(portal);
      await page.goto(portal.at('code'));
      await page.getByLabel('E-mail').fill(member.email);
      await page.keyboard.press('Enter');
      await page.getByLabel('The eight digits in the mail').waitFor();
      const { text } = await mailTo(portal, member.email, 'signInCode');
      return { ...member, code: /\b\d{8}\b/.exec(text)?.[0] ?? '' };
    },
    typed: ({ code }) => ({ 'The eight digits in the mail': code }),
    submit: 'Sign in',
    call: 'signIn.email',
    refused: { label: 'The eight digits in the mail', path: 'code' },
    done: isIn,
    effects: entered,
    again: alert('The code is wrong, or was used before.'),
  }),
  'the second step': formCase({
    async open(portal, page) {
      const member = await addMemberWithApp(portal);
      await firstStep(portal, page, member.email);
      return member;
    },
    typed: ({ code }) => ({ Code: code() }),
    submit: 'Sign in',
    call: 'signIn.step',
    refused: { label: 'Code', path: 'code' },
    done: isIn,
    effects: entered,
    again: alert('This sign-in took too long, or was begun in another browser.'),
  }),
  'a backup code': formCase({
    async open(portal, page, hand) {
      const member = await addMemberWithApp(portal);
      await firstStep(portal, page, member.email);
      await hand.press(page.getByRole('button', { name: 'Use a backup code' }));
      return member;
    },
    typed: ({ backupCodes }) => ({ 'Backup code': backupCodes[0] ?? '' }),
    submit: 'Sign in',
    call: 'signIn.step',
    refused: { label: 'Backup code', path: 'code' },
    done: isIn,
    effects: entered,
    again: alert('This sign-in took too long, or was begun in another browser.'),
  }),
  'the ticket of a recovery': formCase({
    async open(portal, page) {
      const member = await addMember(portal);
      const { ticket } = await openRecovery(portal, member.id);
      await page.goto(portal.at('sign-in?next=/portal/recovery'));
      await page.getByLabel('E-mail').fill(member.email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByLabel('The ticket in the mail').waitFor();
      return { ...member, ticket };
    },
    typed: ({ ticket }) => ({ 'The ticket in the mail': ticket }),
    submit: 'Use the ticket',
    call: 'verification.prove',
    refused: { label: 'The ticket in the mail', path: 'ticket' },
    done: heading('Add your new second factor.'),
    effects: usedTicket,
  }),
  'the ticket in place of the second step': formCase({
    async open(portal, page, hand) {
      const member = await addMemberWithApp(portal);
      const { ticket } = await openRecovery(portal, member.id);
      await firstStep(portal, page, member.email);
      await hand.press(page.getByRole('link', { name: 'I have none of these' }));
      await page.getByLabel('The ticket in the mail').waitFor();
      return { ...member, ticket };
    },
    typed: ({ ticket }) => ({ 'The ticket in the mail': ticket }),
    submit: 'Use the ticket',
    call: 'signIn.step',
    refused: { label: 'The ticket in the mail', path: 'ticket' },
    done: heading('Add your new second factor.'),
    effects: usedTicket,
  }),
  'canceling a recovery': formCase({
    async open(portal, page) {
      const { id } = await addMemberWithApp(portal);
      const { recoveryId } = await openRecovery(portal, id);
      const token = sealCancelToken(portal.service.services, recoveryId);
      await page.goto(portal.at(`recovery#${new URLSearchParams({ token }).toString()}`));
      return recoveryId;
    },
    typed: () => ({}),
    submit: 'Cancel the recovery',
    call: 'recovery.cancelMine',
    done: heading('The recovery is canceled.'),
    effects: (portal, recoveryId) =>
      countOf(portal, 'recoveries', ({ id, outcome }) => id === recoveryId && outcome === 'canceled'),
    again: heading('The recovery is no longer open.'),
  }),
  joining: formCase({
    async open(portal, page) {
      const name = newName();
      const { token } = await signIn(portal.service, 'owner@acme.test');
      const email = `${name}@new.test`;
      const body = { email, roleType: 5 };
      await portal.service.send('/v1/invitation/create', { body, token, accountId: 1 });
      await page.goto((await mailTo(portal, email, 'invitation')).link);
      await page.getByLabel('Name').waitFor();
      return name;
    },
    typed: (name) => ({ Name: name, Password: PASSWORD }),
    submit: 'Join',
    call: 'invitation.join',
    refused: { label: 'Name', path: 'username' },
    done: isIn,
    effects: (portal, name) => countOf(portal, 'members', ({ username }) => username === name),
  }),
};

describe('a form for people who are not signed in', () => {
  walkForms(FORMS, 'registering');
});
