import { providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { describe, expect, inject, it } from 'vitest';
import { openPortal, PASSWORD } from '../test/open-portal.js';
import { addMember, mailTo } from '../test/people.js';

const dialect = inject('dialect');

/** Text that providers, mail programs and people add after the hash; also nothing. */
const FRAGMENTS = [
  '',
  '#',
  '#_=_',
  '#x',
  '#token=other&user=other',
  '#%E0%A4%A',
  '#?a=b',
  '#=',
  '#a#b',
  '#:~:text=Hello',
  '#?token=other#user=other',
  '?utm_medium=mail',
];

/** Addresses in mails and returns from providers, and the screens they lead to. */
const LINKS = [
  ['/confirm', 'confirm'],
  ['/email-approval', 'email-approval'],
  ['/invitation', 'join'],
  ['/recovery', 'recovery'],
  ['/reset', 'reset'],
  ['/restore', 'restore'],
  ['/socialAuth', 'social'],
  ['/SocialAuth/', 'social'],
] as const;

describe('a link in a mail', () => {
  it.each(LINKS)('to %s keeps its query, with any fragment', async (path, screen) => {
    await using portal = await openPortal(dialect);
    const { at } = portal;
    const page = await portal.newPage();
    // The initial address of the screen, before it reads and removes the token of the link.
    const began: string[] = [];
    page.on('framenavigated', (frame) => began.push(frame.url()));
    for (const fragment of FRAGMENTS) {
      began.length = 0;
      await page.goto(new URL(`${path}?token=mine&user=mine&utm_source=x${fragment}`, at('')).href);
      await page.waitForURL((url) => url.pathname.startsWith('/portal/'));
      const first = began.find((each) => each.startsWith(at(screen)));
      // As the screen reads it.
      const brought = new URLSearchParams(
        new URL(first ?? '', at('')).hash.slice(1).replaceAll(/[?#]/g, '&'),
      );
      const seen = [brought.get('token'), brought.get('user'), brought.get('utm_source')];
      expect([fragment, ...seen]).toEqual([fragment, 'mine', 'mine', 'x']);
    }
  });

  it("sets a new password although a fragment was appended to the page's address or to the portal's", async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    const { email } = await addMember(portal);
    const passwords = ['Copper-Meadow-17', 'Copper-Meadow-18', 'Copper-Meadow-19'];
    for (const [index, password] of passwords.entries()) {
      await portal.service.send('/forgotPassword', { body: { email } });
      const { link } = await mailTo(portal, email, 'passwordReset');
      const { search } = new URL(link);
      await page.goto([`${link}#x`, `${link}&utm_source=mail#_=_`, at(`reset${search}#_=_`)][index] ?? '');
      await page.getByLabel('New password').fill(password);
      // The address no longer holds the token.
      expect(page.url()).toBe(at('reset'));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor();
    }
  });

  it('signs in by mail although something was added before or after the token in its fragment', async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    for (const [query, end] of [
      ['?utm_source=mail', ''],
      ['?email=somebody%40else.test', '#_=_'],
      ['?token=x&email=', '?utm_source=mail'],
      ['', '&email=x:~:text=mail'],
    ] as const) {
      const { email } = await addMember(portal);
      await page.goto(at('code'));
      await page.getByLabel('Email').fill(email);
      await page.keyboard.press('Enter');
      await page.getByLabel('8-digit code').waitFor();
      const { link } = await mailTo(portal, email, 'signInCode');
      await page.goto(`${link.replace('#', `${query}#`)}${end}`);
      await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
      expect(page.url()).toBe(at(''));
      await page.context().clearCookies();
    }
  });

  it('remembers who recommended a registration, although a fragment was appended', async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    await page.goto(new URL('/register?ref=friend#x', at('')).href);
    await page.waitForURL((url) => url.pathname === '/portal/register');
    expect(new URL(page.url()).searchParams.get('ref')).toBe('friend');
  });
});

describe('the return from a provider', () => {
  it('signs in despite the fragment that Facebook adds, and says why it failed when the person declines', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at } = portal;
    const landed: string[] = [];
    page.on('framenavigated', (frame) => landed.push(frame.url()));
    await page.goto(at('sign-in'));
    await page.getByRole('button', { name: 'Facebook', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(landed.some((url) => url.endsWith('_=_'))).toBe(true);

    await page.context().clearCookies();
    await page.goto(at('sign-in'));
    await page.getByRole('button', { name: 'Facebook', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Sign-in was canceled at Facebook.').waitFor();
    expect(page.url()).toBe(at('social'));
  });
});

describe('the button of a notice', () => {
  it('opens the screen that it names, after a sign-in', async () => {
    await using portal = await openPortal(dialect);
    const { page, service } = portal;
    const inviter = await addMember(portal, { 1: 1 });
    const invited = await addMember(portal);
    const body = { email: invited.email, roleType: 5 };
    await service.send('/v1/invitation/create', { body, token: inviter.token, accountId: 1 });
    const { link } = await mailTo(portal, invited.email, 'invitation');
    const token = new URL(link).searchParams.get('token');
    await service.send('/v1/invitation/accept', { body: { token }, token: invited.token });
    const notice = await mailTo(portal, inviter.email, 'invitationAccepted');
    await page.goto(notice.link);
    await page.getByLabel('Email').fill(inviter.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/portal/a/1/team');
    await page.getByText(invited.email).waitFor();
  });
});
