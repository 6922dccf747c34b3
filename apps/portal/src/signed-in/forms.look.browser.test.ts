import { totpCode, totpStep } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertPasskey } from '@gatehouse/db/queries/member-passkeys';
import { insertTestMember, type TestMember } from '@gatehouse/testkit';
import { screenShown } from '@gatehouse/testkit/browser';
import { describe } from 'vitest';
import { z } from 'zod';
import { countOf, type FormCase, formCase, walkForms } from '../test/forms.js';
import type { Hand } from '../test/hands.js';
import { type OpenPortal, PASSWORD } from '../test/open-portal.js';
import { addMember, addMemberWithApp, fromBase32 } from '../test/people.js';

const created = z.object({ data: z.object({ id: z.int() }) });

type Page = OpenPortal['page'];

interface Owned {
  readonly ownerId: number;
  readonly email: string;
  readonly accountId: number;
  readonly name: string;
  /** Another member of it. */
  readonly other: TestMember;
}

let accounts = 0;
let profiles = 0;

/** An account with a member, and its owner at the page. */
async function own(
  portal: OpenPortal,
  page: Page,
  { screen, as = addMember }: { readonly screen: string; readonly as?: typeof addMember },
): Promise<Owned> {
  const { service } = portal;
  const owner = await as(portal);
  const send = (path: string, body: object) => service.send(path, { body, token: owner.token });
  await send('/v1/verification/prove', { password: PASSWORD });
  accounts += 1;
  const name = `Account ${accounts}`;
  const accountId = created.parse(await (await send('/v1/account/create', { name })).json()).data.id;
  const other = await insertTestMember(service.database, {
    isConfirmed: true,
    memberships: { [accountId]: 5 },
  });
  await visit(portal, page, { token: owner.token, screen: screen.replace('$', String(accountId)) });
  return { ownerId: owner.id, email: owner.email, accountId, name, other };
}

/** Opens a screen with a person's session. */
async function visit(
  { at }: OpenPortal,
  page: Page,
  { token, screen }: { readonly token: string; readonly screen: string },
): Promise<void> {
  await page.context().addCookies([{ name: 'gatehouse-dev', value: token, domain: 'localhost', path: '/' }]);
  await page.goto(at(screen));
  await screenShown(page);
}

async function addPasskey({ service, nowMs }: OpenPortal, memberId: number): Promise<void> {
  await changeAccess(service.database, { members: [memberId] }, (tx) =>
    insertPasskey(tx, {
      memberId,
      credentialKey: `key ${memberId}`,
      credentialId: `key ${memberId}`,
      publicKey: '',
      rpId: 'localhost',
      userHandle: null,
      backupEligible: false,
      backedUp: false,
      transports: '',
      name: 'Old',
      counter: 0,
      lastUsedAtMs: null,
      createdAtMs: nowMs(),
    }),
  );
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const says = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name }).waitFor();

/** How often the owner did something, by the entries in the audit log. */
const acts =
  (action: string) =>
  (portal: OpenPortal, { ownerId }: Pick<Owned, 'ownerId'>) =>
    countOf(portal, 'auditLog', (line) => line.action === action && line.actorId === ownerId);

async function addMachine(page: Page, hand: Hand): Promise<void> {
  await hand.press(button(page, 'Add machine'));
  await hand.write(page.getByRole('textbox', { name: 'Name' }), 'Importer');
  await hand.press(button(page, 'Add machine').last());
  await says('Importer was added.')(page);
}

/** Every form for people who are signed in. */
const FORMS: Readonly<Record<string, FormCase>> = {
  'opening another account': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: '' });
      await hand.press(button(page, 'Create an organization'));
      return owned;
    },
    typed: () => ({ 'Organization name': 'Another one' }),
    submit: 'Create organization',
    call: 'account.create',
    refused: { label: 'Organization name', path: 'name' },
    done: says('One member'),
    effects: acts('account.created'),
  }),
  'inviting somebody': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'a/$/team' });
      await hand.press(button(page, 'Invite people'));
      return owned;
    },
    typed: ({ name }) => ({
      'Email address': `${name.replace(' ', '')}@new.test`.toLowerCase(),
      Role: 'Designer',
    }),
    submit: 'Send invitation',
    call: 'invitation.create',
    refused: { label: 'Email address', path: 'email' },
    done: says('Invitation sent to'),
    effects: (portal, { accountId }) =>
      countOf(portal, 'invitations', (invitation) => invitation.accountId === accountId),
  }),
  'changing a role': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'a/$/team' });
      await hand.press(button(page, /^Actions for Test Member/));
      await hand.press(button(page, /^Change role Test Member/));
      return owned;
    },
    typed: () => ({ Role: 'Designer' }),
    submit: 'Save role',
    call: 'membership.changeRole',
    refused: { label: 'Role', path: 'role' },
    done: says('role is now Designer.'),
    effects: acts('membership.changed'),
  }),
  'removing somebody': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'a/$/team' });
      await hand.press(button(page, /^Actions for Test Member/));
      await hand.press(button(page, /^Remove Test Member/));
      return owned;
    },
    typed: () => ({ 'Type it here': 'Test Member' }),
    submit: 'Remove member',
    call: 'membership.remove',
    done: says('was removed.'),
    effects: acts('membership.removed'),
  }),
  'handing an account over': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'a/$/team' });
      await hand.press(button(page, /^Actions for Test Member/));
      await hand.press(button(page, /^Transfer ownership… Test Member/));
      return owned;
    },
    typed: () => ({ 'Type it here': 'Test Member' }),
    submit: 'Transfer ownership',
    call: 'account.transferOwnership',
    done: says('is now the owner.'),
    effects: acts('account.ownership-moved'),
  }),
  'leaving an account': formCase({
    async open(portal, page, hand) {
      const { other, name } = await own(portal, page, { screen: '' });
      await visit(portal, page, { token: other.token, screen: '' });
      await hand.press(button(page, `Actions for ${name}`));
      await hand.press(button(page, `Leave ${name}`));
      return { ownerId: other.id, name };
    },
    typed: ({ name }) => ({ 'Type it here': name }),
    submit: 'Leave organization',
    call: 'membership.leave',
    done: says("You don't belong to any organization yet."),
    effects: acts('membership.left'),
  }),
  'renaming an account': formCase({
    open: (portal, page) => own(portal, page, { screen: 'a/$/settings' }),
    typed: () => ({ 'Organization name': 'Renamed' }),
    submit: 'Save Name',
    call: 'account.rename',
    refused: { label: 'Organization name', path: 'name' },
    done: says('The organization is now called Renamed.'),
    effects: acts('account.renamed'),
  }),
  'asking for a second factor': formCase({
    open: (portal, page) => own(portal, page, { screen: 'a/$/settings', as: addMemberWithApp }),
    typed: () => ({ 'Two-step sign-in': 'A second factor is required', 'Takes effect': 'in 7 days' }),
    submit: 'Save Sign-in security',
    call: 'accountPolicy.set',
    isAnother: true,
    refused: { label: 'Two-step sign-in', path: 'level' },
    done: says('Saved: A second factor is required.'),
    effects: acts('account.policy-set'),
  }),
  'closing an account': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'a/$/settings' });
      await hand.press(button(page, 'Close organization…'));
      return owned;
    },
    typed: ({ name }) => ({ 'Type it here': name }),
    submit: 'Close organization',
    call: 'account.close',
    done: says('Closed organizations'),
    effects: acts('account.closed'),
  }),
  'one’s own names': formCase({
    open: (portal, page) => own(portal, page, { screen: 'you' }),
    typed: () => ({ 'First name': 'Ada', 'Last name': 'Lovelace' }),
    submit: 'Save Name',
    call: 'profile.update',
    refused: { label: 'First name', path: 'firstName' },
    done: says('Your name is now Ada Lovelace.'),
    effects: (portal, { ownerId }) =>
      countOf(portal, 'members', ({ id, firstName }) => id === ownerId && firstName === 'Ada'),
  }),
  'another address': formCase({
    open: (portal, page) => own(portal, page, { screen: 'you' }),
    typed: ({ ownerId }) => ({ 'New address': `moved${ownerId}@new.test` }),
    submit: 'Change address',
    call: 'email.change',
    refused: { label: 'New address', path: 'email' },
    done: says("We've sent the emails."),
    effects: (portal, { ownerId }) =>
      countOf(portal, 'members', ({ id, pendingEmail }) => id === ownerId && pendingEmail !== null),
  }),
  'the language of mails': formCase({
    open: (portal, page) => own(portal, page, { screen: 'you' }),
    typed: () => ({ 'Language of emails': 'Deutsch' }),
    submit: 'Save Language',
    call: 'profile.update',
    refused: { label: 'Language of emails', path: 'locale' },
    done: says("We'll email you in German from now on."),
    effects: (portal, { ownerId }) =>
      countOf(portal, 'members', ({ id, locale }) => id === ownerId && locale === 'de'),
  }),
  'another password': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'you/security' });
      await hand.press(button(page, 'Change password'));
      return owned;
    },
    typed: () => ({ 'Current password': PASSWORD, 'New password': 'Copper-Meadow-17' }),
    submit: 'Set new password',
    call: 'password.change',
    refused: { label: 'New password', path: 'newPassword' },
    done: says('Your password has been changed.'),
    effects: acts('password.changed'),
  }),
  'adding an authenticator app': formCase({
    async open(portal, page, hand) {
      const { ownerId } = await own(portal, page, { screen: 'you/security' });
      await hand.press(button(page, 'Add an app'));
      const shown = await page.locator('.font-mono.select-all').first().textContent();
      const secret = fromBase32((shown ?? '').replace(/\s/g, ''));
      return { ownerId, code: totpCode(secret, totpStep(portal.nowMs())) };
    },
    typed: ({ code }) => ({ '6-digit code': code }),
    submit: 'Add app',
    call: 'totp.confirm',
    refused: { label: '6-digit code', path: 'code' },
    done: (page) => page.getByRole('dialog', { name: 'Your backup codes' }).waitFor(),
    effects: acts('factor.totp-added'),
    again: says('Your backup codes got lost on the way: create new ones below.'),
  }),
  'renaming a passkey': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: '' });
      await addPasskey(portal, owned.ownerId);
      await page.goto(portal.at('you/security'));
      await hand.press(button(page, 'Rename Old'));
      return owned;
    },
    typed: () => ({ 'Passkey name': 'Phone' }),
    submit: 'Save name',
    call: 'passkey.rename',
    refused: { label: 'Passkey name', path: 'name' },
    done: says('The passkey is now called “Phone”.'),
    effects: (portal, { ownerId }) =>
      countOf(portal, 'passkeys', ({ memberId, name }) => memberId === ownerId && name === 'Phone'),
  }),
  'naming a session': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'you/sessions' });
      await hand.press(button(page, /^Rename/));
      return owned;
    },
    typed: () => ({ Name: 'Laptop' }),
    submit: 'Save',
    call: 'session.rename',
    refused: { label: 'Name', path: 'name' },
    done: (page) => page.locator('bdi').getByText('Laptop', { exact: true }).waitFor(),
    effects: (portal, { ownerId }) =>
      countOf(
        portal,
        'sessions',
        ({ memberId, deviceName }) => memberId === ownerId && deviceName === 'Laptop',
      ),
  }),
  'connecting a profile': formCase({
    open: (portal, page) => own(portal, page, { screen: 'you/connections' }),
    typed: () => ({}),
    submit: 'GitHub',
    call: 'social.connect',
    endsElsewhere: true,
    async done(page) {
      profiles += 1;
      await page.getByLabel('Your id here').fill(`profile-${profiles}`);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByText('GitHub is connected.').waitFor();
    },
    effects: (portal, { ownerId }) =>
      countOf(portal, 'socialConnections', ({ memberId }) => memberId === ownerId),
  }),
  'keeping a partner out': formCase({
    async open(portal, page) {
      const owned = await own(portal, page, { screen: '' });
      const { database } = portal.service;
      await database.insert(database.tables.partnerMembers, {
        partnerId: 1,
        memberId: owned.ownerId,
        linkedAtMs: portal.nowMs(),
        consentedAtMs: portal.nowMs(),
      });
      await page.goto(portal.at('you/partners'));
      return owned;
    },
    typed: () => ({}),
    submit: 'Limit to its own organizations acme-partner',
    call: 'partner.consent',
    done: says('No partner has access to'),
    effects: (portal, { ownerId }) =>
      countOf(
        portal,
        'partnerMembers',
        ({ memberId, consentedAtMs }) => memberId === ownerId && consentedAtMs === null,
      ),
  }),
  'deleting oneself': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'you/data' });
      await hand.press(button(page, 'Delete my account…'));
      return owned;
    },
    typed: ({ name, email }) => ({
      [`You own ${name}. What should happen to it?`]: 'Close it for everyone',
      'Type it here': email,
    }),
    submit: 'Delete my account',
    call: 'member.deleteOwn',
    refused: { label: 'Type it here', path: 'typed' },
    done: heading('Your account has been deleted'),
    effects: acts('member.deleted'),
    again: heading('Your account has probably been deleted'),
  }),
  'showing who one is': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'a/$/team' });
      portal.wait(11 * 60_000);
      await hand.press(button(page, /^Actions for Test Member/));
      await hand.press(button(page, /^Transfer ownership… Test Member/));
      await hand.write(page.getByLabel('Type it here'), 'Test Member');
      await hand.press(button(page, /^Transfer ownership$/));
      await page.getByRole('dialog', { name: "Confirm it's you" }).waitFor();
      return owned;
    },
    typed: () => ({ Password: PASSWORD }),
    submit: 'Continue',
    call: 'verification.prove',
    isAnother: true,
    refused: { label: 'Password', path: 'password' },
    done: says('is now the owner.'),
    effects: acts('session.verified'),
  }),
  'adding a machine': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'a/$/developers' });
      await hand.press(button(page, 'Add machine'));
      return owned;
    },
    typed: () => ({ Name: 'Importer', Role: 'Contributor' }),
    submit: 'Add machine',
    call: 'machine.save',
    isAnother: true,
    refused: { label: 'Name', path: 'name' },
    done: says('Importer was added.'),
    effects: acts('machine.made'),
  }),
  'creating an API key': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'a/$/developers' });
      await addMachine(page, hand);
      await hand.press(button(page, 'Create key Importer'));
      await page.getByRole('checkbox', { name: 'account.read' }).press('Space');
      return owned;
    },
    typed: () => ({ Name: 'Production', 'Requests per minute': '60' }),
    submit: 'Create key',
    call: 'key.create',
    isAnother: true,
    refused: { label: 'Name', path: 'name' },
    done: says('Your new key “Production”'),
    effects: acts('key.created'),
  }),
  'removing a machine': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'a/$/developers' });
      await addMachine(page, hand);
      await hand.press(button(page, 'Actions for Importer'));
      await hand.press(button(page, 'Remove Importer'));
      return owned;
    },
    typed: () => ({ 'Type it here': 'Importer' }),
    submit: 'Remove machine',
    call: 'machine.remove',
    done: says('Importer was removed'),
    effects: acts('machine.removed'),
  }),
  'registering an application': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'a/$/developers/applications' });
      await hand.press(button(page, 'Register application'));
      return owned;
    },
    typed: () => ({
      Name: 'Wiki',
      'Redirect URIs': 'https://wiki.example.com/callback',
      'Member ID (sub)': 'A separate ID (pairwise)',
    }),
    submit: 'Register application',
    call: 'app.save',
    isAnother: true,
    refused: { label: 'Member ID (sub)', path: 'subjectType' },
    done: says('Wiki was registered.'),
    effects: acts('application.added'),
  }),
  'adding an endpoint': formCase({
    async open(portal, page, hand) {
      const owned = await own(portal, page, { screen: 'a/$/developers/endpoints' });
      await hand.press(button(page, 'Add endpoint'));
      await page.getByRole('checkbox', { name: 'All events' }).press('Space');
      return owned;
    },
    typed: () => ({ Address: 'http://127.0.0.1:1024/events', 'Description (optional)': 'Nobody there' }),
    submit: 'Add endpoint',
    call: 'eventEndpoint.save',
    isAnother: true,
    refused: { label: 'Address', path: 'url' },
    done: says('The signing secret of the endpoint'),
    effects: acts('endpoint.made'),
  }),
};

describe('a form for people who are signed in', () => {
  walkForms(FORMS, 'inviting somebody');
});
