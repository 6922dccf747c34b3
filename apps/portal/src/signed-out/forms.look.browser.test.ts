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

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).waitFor();
const alert = (text: string) => (page: Page) => page.getByRole('alert').getByText(text).waitFor();
const isIn = heading(/^Welcome, /);

/** Whether the member has a session besides the one that a test made. */
const entered = (portal: OpenPortal, { id }: { readonly id: number }) =>
  countOf(portal, 'sessions', ({ memberId, device }) => memberId === id && device !== 'test').then(Math.sign);

async function firstStep({ at }: OpenPortal, page: Page, email: string): Promise<void> {
  await page.goto(at('sign-in'));
  await page.getByLabel('Email').fill(email);
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
    typed: ({ email }) => ({ Email: email, Password: PASSWORD }),
    submit: 'Sign in',
    call: 'signIn.password',
    isRepeated: true,
    refused: { label: 'Email', path: 'email' },
    done: isIn,
    effects: entered,
  }),
  registering: formCase({
    async open({ at }, page) {
      await page.goto(at('register'));
      return newName();
    },
    typed: (name) => ({
      Email: `${name}@new.test`,
      Username: name,
      Password: PASSWORD,
      'Organization name (optional)': `${name} & Partners`,
    }),
    submit: 'Create account',
    call: 'registration.register',
    refused: { label: 'Username', path: 'username' },
    done: heading('Almost done: check your email'),
    effects: (portal, name) => countOf(portal, 'members', ({ username }) => username === name),
  }),
  'asking for a new password': formCase({
    async open(portal, page) {
      const { email } = await addMember(portal);
      await page.goto(portal.at('forgot'));
      return email;
    },
    typed: (email) => ({ Email: email }),
    submit: 'Send reset link',
    call: 'password.forgot',
    isAnother: true,
    refused: { label: 'Email', path: 'email' },
    done: heading('Check your email'),
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
    submit: 'Set new password',
    call: 'password.reset',
    refused: { label: 'New password', path: 'password' },
    done: heading('Your password has been changed'),
    effects: (portal, { id }) =>
      countOf(
        portal,
        'auditLog',
        ({ action, subjectId }) => action === 'password.reset' && subjectId === String(id),
      ),
    again: heading('Your password may already be changed'),
  }),
  'confirming an address': formCase({
    async open(portal, page) {
      const name = newName();
      const email = `${name}@new.test`;
      await portal.service.send('/register', { body: { email, username: name, password: PASSWORD } });
      await page.goto((await mailTo(portal, email, 'activation')).link);
      await page.getByLabel('Password (optional)').waitFor();
      return name;
    },
    typed: () => ({ 'Password (optional)': PASSWORD }),
    submit: 'Confirm address',
    call: 'registration.confirm',
    refused: { label: 'Password (optional)', path: 'password' },
    done: heading('Your address is confirmed'),
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
    typed: (email) => ({ Email: email }),
    submit: 'Email me a code',
    call: 'signIn.requestEmail',
    isAnother: true,
    refused: { label: 'Email', path: 'email' },
    done: heading('Check your email'),
    effects: (portal, email) =>
      countOf(portal, 'mailOutbox', ({ kind, recipient }) => kind === 'signInCode' && recipient === email),
  }),
  'entering a mailed code': formCase({
    async open(portal, page) {
      const member = await addMember(portal);
      await page.goto(portal.at('code'));
      await page.getByLabel('Email').fill(member.email);
      await page.keyboard.press('Enter');
      await page.getByLabel('8-digit code').waitFor();
      const { text } = await mailTo(portal, member.email, 'signInCode');
      return { ...member, code: /\b\d{8}\b/.exec(text)?.[0] ?? '' };
    },
    typed: ({ code }) => ({ '8-digit code': code }),
    submit: 'Sign in',
    isSentWhenFull: true,
    call: 'signIn.email',
    refused: { label: '8-digit code', path: 'code' },
    done: isIn,
    effects: entered,
    again: alert('The code is incorrect or has already been used.'),
  }),
  'the second step': formCase({
    async open(portal, page) {
      const member = await addMemberWithApp(portal);
      await firstStep(portal, page, member.email);
      return member;
    },
    typed: ({ code }) => ({ Code: code() }),
    submit: 'Sign in',
    isSentWhenFull: true,
    call: 'signIn.step',
    refused: { label: 'Code', path: 'code' },
    done: isIn,
    effects: entered,
    again: alert('Your sign-in timed out or was started in another browser.'),
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
    again: alert('Your sign-in timed out or was started in another browser.'),
  }),
  'the ticket of a recovery': formCase({
    async open(portal, page) {
      const member = await addMember(portal);
      const { ticket } = await openRecovery(portal, member.id);
      await page.goto(portal.at('sign-in?next=/portal/recovery'));
      await page.getByLabel('Email').fill(member.email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByLabel('Recovery code', { exact: true }).waitFor();
      return { ...member, ticket };
    },
    typed: ({ ticket }) => ({ 'Recovery code': ticket }),
    submit: 'Use recovery code',
    call: 'verification.prove',
    refused: { label: 'Recovery code', path: 'ticket' },
    done: heading('Add your new second factor'),
    effects: usedTicket,
  }),
  'the ticket in place of the second step': formCase({
    async open(portal, page, hand) {
      const member = await addMemberWithApp(portal);
      const { ticket } = await openRecovery(portal, member.id);
      await firstStep(portal, page, member.email);
      await hand.press(page.getByRole('link', { name: "I've lost access to my second factor" }));
      await page.getByLabel('Recovery code', { exact: true }).waitFor();
      return { ...member, ticket };
    },
    typed: ({ ticket }) => ({ 'Recovery code': ticket }),
    submit: 'Use recovery code',
    call: 'signIn.step',
    refused: { label: 'Recovery code', path: 'ticket' },
    done: heading('Add your new second factor'),
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
    submit: 'Cancel recovery',
    call: 'recovery.cancelMine',
    done: heading('Recovery canceled'),
    effects: (portal, recoveryId) =>
      countOf(portal, 'recoveries', ({ id, outcome }) => id === recoveryId && outcome === 'canceled'),
    again: heading('This recovery is no longer open'),
  }),
  joining: formCase({
    async open(portal, page) {
      const name = newName();
      const { token } = await signIn(portal.service, 'owner@acme.test');
      const email = `${name}@new.test`;
      const body = { email, roleType: 5 };
      await portal.service.send('/v1/invitation/create', { body, token, accountId: 1 });
      await page.goto((await mailTo(portal, email, 'invitation')).link);
      await page.getByLabel('Username').waitFor();
      return name;
    },
    typed: (name) => ({ Username: name, Password: PASSWORD }),
    submit: 'Join',
    call: 'invitation.join',
    refused: { label: 'Username', path: 'username' },
    done: isIn,
    effects: (portal, name) => countOf(portal, 'members', ({ username }) => username === name),
  }),
};

describe('a form for people who are not signed in', () => {
  walkForms(FORMS, 'registering');
});
