import { sealSecret } from '@gatehouse/features/sso/connection-secrets';
import { changeColumn } from '@gatehouse/features/test/change-column';
import { testMetadata } from '@gatehouse/features/test/saml-identity-provider';
import { startIdentityProvider } from '@gatehouse/features/test/sso-world';
import { insertTestDomain, insertTestSso } from '@gatehouse/features/test/test-sso';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { type Hand, handsInTurn, keyboard, mouse, useHand } from '../../../test/hands.js';
import { type OpenPortal, openPortal, PASSWORD } from '../../../test/open-portal.js';
import { addMember } from '../../../test/people.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');

type Page = OpenPortal['page'];

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

const DOMAIN = 'acme.example';

/** The organization of the demonstration, and its owner. */
const ACME = { accountId: 1, createdById: 3 };

const DIRECTORY = 'a/1/settings/directory';

async function openDirectory(portal: OpenPortal): Promise<void> {
  const { service, page } = portal;
  await insertTestDomain(service.database, { ...ACME, domain: DOMAIN, isVerified: true });
  await signInAs(portal, page, 'owner@acme.test', DIRECTORY);
}

describe('company sign-in of an organization', () => {
  it('is connected, tested and activated by an owner', { timeout: 120_000 }, async () => {
    await using idp = await startIdentityProvider();
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await openDirectory(portal);
    async function test(hand: Hand, end: string) {
      await hand.press(button(page, 'Test connection'));
      await page.getByText(end).waitFor();
    }
    for (const [hand, name] of handsInTurn(dialect, [
      [mouse, 'Acme'],
      [keyboard, '<b>Works</b> & co.'],
    ] as const)) {
      await useHand(page, hand, dialect);
      idp.told.claims = { sub: 'ada', email: `ada@${DOMAIN}`, groups: ['staff', 'leads'] };
      await hand.press(page.getByRole('link', { name: 'Connect identity provider' }));
      await hand.write(field(page, 'Name'), name);
      await hand.choose(field(page, 'Identity provider'), 'Other provider');
      expect(await field(page, 'Name').inputValue()).toBe(name);
      const redirect = await page.locator('.select-all').first().textContent();
      expect(redirect).toMatch(/\/sso\/oidc\/[0-9a-f]{32}\/callback$/);
      await hand.write(field(page, 'Issuer'), 'https://127.0.0.1/?');
      await hand.write(field(page, 'Client ID'), 'gatehouse');
      await hand.write(field(page, 'Client secret'), 'Anchor-Meadow-17');
      await hand.press(button(page, 'Save and continue'));
      await page.getByText('Use the exact issuer').waitFor();
      await hand.write(field(page, 'Issuer'), idp.issuer);
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.press(button(page, 'Save and continue'));
      await page.getByText(`${name} is saved. Choose below who can sign in, then test it.`).waitFor();
      // The values pasted at the identity provider earlier stay valid.
      expect(await page.locator('.select-all').first().textContent()).toBe(redirect);

      idp.told.change = (payload) => Object.assign(payload, { aud: 'another' });
      await test(hand, 'The test failed');
      await page.getByText('Compare the client ID.').waitFor();
      expect(await button(page, 'Activate').count()).toBe(0);
      idp.told.change = undefined;
      await test(hand, 'The test passed, but this person could not sign in yet');
      await page.getByText('leads').waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);

      await hand.write(field(page, 'Client ID'), 'not saved yet');
      await hand.press(button(page, 'Test connection'));
      await page.getByText("You have changes that you haven't saved.").waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.press(button(page, 'Cancel'));
      await page.getByLabel(/^Add people when/).setChecked(true);
      await hand.press(button(page, 'Add rule'));
      await hand.write(field(page, 'Value'), 'leads');
      await hand.choose(field(page, 'Role'), 'Manager');
      await hand.press(button(page, 'Save Who can sign in'));
      await page.getByText('once you have tested and activated them').waitFor();
      // Saving one form does not clear the other.
      expect(await field(page, 'Client ID').inputValue()).toBe('not saved yet');
      await hand.press(button(page, 'Test connection'));
      await hand.press(button(page, 'Test without them'));
      await page.getByText('The connection to your identity provider works.').waitFor();
      expect(await field(page, 'Client ID').inputValue()).toBe('gatehouse');
      await page.getByText('Role by your rules: Manager.').waitFor();
      await hand.press(button(page, 'Activate'));
      await hand.press(button(page, 'Activate').last());
      await page.getByText(`${name} is active.`).waitFor();
      await hand.press(button(page, 'More'));
      await hand.press(button(page, 'Deactivate'));
      await page.getByText('is signed out immediately').waitFor();
      await hand.press(button(page, 'Deactivate').last());
      await page.getByText(`${name} was deactivated.`).waitFor();
      await hand.press(page.getByRole('link', { name: 'Company sign-in and directory' }));
      await page.getByText('OpenID Connect · Tested, not active yet').last().waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('is connected by SAML with pasted metadata or single values, and removed', {
    timeout: 120_000,
  }, async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await openDirectory(portal);
    await page.getByRole('link', { name: 'Connect identity provider' }).click();
    await field(page, 'Name').fill('Acme');
    await field(page, 'Issuer').fill('https://idp.example');
    await field(page, 'Protocol').selectOption('saml');
    const source = page.getByLabel('How do you enter the metadata of Microsoft Entra ID?');
    await source.selectOption('xml');
    await field(page, 'Metadata (XML)').fill('<html></html>');
    await button(page, 'Save and continue').click();
    await page.getByText('This is not the metadata of one SAML identity provider.').waitFor();
    const metadata = testMetadata();
    await source.selectOption('fields');
    expect(await field(page, 'Metadata (XML)').isVisible()).toBe(false);
    await source.selectOption('xml');
    expect(await field(page, 'Metadata (XML)').inputValue()).toBe('<html></html>');
    await field(page, 'Protocol').selectOption('oidc');
    expect(await field(page, 'Issuer').inputValue()).toBe('https://idp.example');
    await field(page, 'Protocol').selectOption('saml');
    await source.selectOption('fields');
    await field(page, 'Entity ID of your provider').fill('https://idp.example/?a=1&b="2"');
    await field(page, 'Sign-in URL of your provider').fill('https://idp.example/sso?a=1&b=2');
    const base64 = /<(?:\w+:)?X509Certificate>([^<]*)</.exec(metadata)?.[1] ?? '';
    await field(page, 'Signing certificate').fill(
      `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`,
    );
    expect(await flawsOfLook(page)).toEqual([]);
    await button(page, 'Save and continue').click();
    await page.getByText('Acme is saved. Choose below who can sign in, then test it.').waitFor();
    await page.getByText(/^Certificate expires on/).waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await button(page, 'More').click();
    await button(page, 'Remove').click();
    await field(page, 'Type it here').fill('Acme');
    await button(page, 'Remove connection').click();
    await page.getByText('Acme was removed.').waitFor();
    await page.getByText('No connections yet.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is saved with the redirect URI that was shown, or shows the new one when another connection was saved meanwhile', {
    timeout: 120_000,
  }, async () => {
    await using idp = await startIdentityProvider();
    await using portal = await openPortal(dialect);
    const { page, complaints, newPage } = portal;
    await openDirectory(portal);
    const another = await newPage();
    await another.goto(page.url());
    const redirectOf = (each: Page) => each.locator('.select-all').first().textContent();
    const begin = async (each: Page, name: string) => {
      await each.getByRole('link', { name: 'Connect identity provider' }).click();
      await field(each, 'Name').fill(name);
      await field(each, 'Issuer').fill(idp.issuer);
      await field(each, 'Client ID').fill('gatehouse');
      await field(each, 'Client secret').fill('Anchor-Meadow-17');
      return redirectOf(each);
    };
    const first = await begin(page, 'Acme');
    expect(await begin(another, 'Works')).toBe(first);
    await button(another, 'Save and continue').click();
    await another.getByText('Works is saved. Choose below who can sign in, then test it.').waitFor();
    await button(page, 'Save and continue').click();
    await page.getByText('Another connection was added meanwhile').waitFor();
    const shown = await redirectOf(page);
    expect(shown).not.toBe(first);
    await button(page, 'Save and continue').click();
    await page.getByText('Acme is saved. Choose below who can sign in, then test it.').waitFor();
    expect(await redirectOf(page)).toBe(shown);
    expect(complaints).toEqual([]);
  });

  it('can be required, and made optional again, by an owner who is exempt', {
    timeout: 120_000,
  }, async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service, newPage } = portal;
    await insertTestSso(service.database, ACME);
    await openDirectory(portal);
    const colleague = await newPage({ isOtherPerson: true });
    for (const hand of handsInTurn(dialect, [mouse, keyboard])) {
      await useHand(page, hand, dialect);
      await hand.press(button(page, 'Require company sign-in'));
      await page.getByText('This is you').waitFor();
      await page.getByText('Passwords, email codes, password resets').waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
      await page.getByLabel(/^Olivia Marsh/).setChecked(false);
      await hand.press(button(page, 'Require'));
      await page.getByText('Choose one to three admins.').waitFor();
      await page.getByLabel(/^Olivia Marsh/).setChecked(true);
      await hand.press(button(page, 'Require'));
      await page.getByText('Company sign-in is required now.').waitFor();
      await page.getByText('Exempt: Olivia Marsh').waitFor();
      await signInAs(portal, colleague, 'manager@acme.test', 'a/1/team');
      await colleague.getByRole('heading', { name: 'Acme Studio requires your company sign-in' }).waitFor();
      expect(await findingsOfAxe(colleague)).toEqual([]);
      expect(await button(colleague, 'Continue to company sign-in').count()).toBe(1);
      await hand.press(button(page, 'Stop requiring it'));
      await hand.press(button(page, 'Stop requiring it').last());
      await page.getByText('Company sign-in is no longer required.').waitFor();
      await button(colleague, 'Try again').click();
      await colleague.getByRole('heading', { name: 'Team' }).waitFor();
      await colleague.context().clearCookies();
    }
    expect(complaints).toEqual([]);
  });

  it('exempts any admin, however many members there are', { timeout: 120_000 }, async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    await addMember(portal, { 1: 1 });
    await insertTestSso(service.database, { ...ACME, required: true, exemptIds: [3] });
    // As if the list of members were too long to read.
    await page.route('**/trpc/*member.list*', (route) => route.abort());
    await openDirectory(portal);
    await page.getByText('Exempt: Olivia Marsh').waitFor();
    await button(page, 'Change exempt admins').click();
    await page.getByText('This is you').waitFor();
    expect(await page.getByLabel(/^Olivia Marsh/).isChecked()).toBe(true);
    await page.getByLabel(/^Test Member/).setChecked(true);
    await button(page, 'Save').click();
    await page.getByText('Exempt admins saved.').waitFor();
    await page.getByText('Exempt: Olivia Marsh, Test Member').waitFor();
    expect(complaints).toEqual([]);
  });

  it('begins with the address on the sign-in page', { timeout: 120_000 }, async () => {
    await using idp = await startIdentityProvider();
    await using portal = await openPortal(dialect);
    const { page, at, complaints, service } = portal;
    const { database, services } = service;
    const { issuer } = idp;
    const { id, key } = await insertTestSso(database, { ...ACME, issuer, required: true, exemptIds: [3] });
    for (const column of ['secret', 'live_secret'])
      await changeColumn(
        database,
        { table: 'sso_connections', column, id },
        sealSecret(services.cipher, key, 'Anchor-Meadow-17'),
      );
    await insertTestDomain(database, { ...ACME, domain: 'acme.test', isVerified: true });
    idp.told.claims = { sub: 'mina', email: 'member@acme.test' };
    await page.route(`${issuer}/endsession*`, (route) => route.fulfill({ status: 204 }));
    const signIn = at(`sign-in?${new URLSearchParams({ next: '/portal/you' }).toString()}`);
    for (const hand of handsInTurn(dialect, [mouse, keyboard])) {
      await useHand(page, hand, dialect);
      await page.goto(signIn);
      await page.evaluate("localStorage.setItem('gatehouse.last-method', 'password')");
      await hand.write(field(page, 'Email'), 'member@acme.test');
      if (hand === keyboard) {
        await page.keyboard.press('Enter');
      } else {
        await field(page, 'Password').click();
        await button(page, 'Continue with Acme').and(page.locator(':focus')).waitFor();
        expect(await field(page, 'Password').count()).toBe(0);
        expect(await flawsOfLook(page)).toEqual([]);
        await hand.press(button(page, 'Continue with Acme'));
      }
      await page.waitForURL('**/portal/you');
      await page.getByText('member@acme.test').first().waitFor({ state: 'attached' });
      const atProvider = page.waitForRequest((request) => request.url().startsWith(`${issuer}/endsession`));
      if (await button(page, 'Menu').isVisible()) await hand.press(button(page, 'Menu'));
      await hand.press(button(page, 'Sign out'));
      await atProvider;
      // The provider answers late, and the page stays where it is meanwhile.
      await page.getByText('member@acme.test').first().waitFor({ state: 'attached' });

      await page.goto(signIn);
      await button(page, 'Sign in').waitFor();
      expect(await page.getByText('Last used').count()).toBe(0);
      await hand.write(field(page, 'Email'), 'owner@acme.test');
      await page.keyboard.press('Tab');
      await hand.press(button(page, 'Admin with an exemption? Sign in another way'));
      await hand.write(field(page, 'Password'), PASSWORD);
      await hand.press(button(page, 'Sign in'));
      await page.waitForURL('**/portal/you');
      await page.context().clearCookies();
    }
    // Without a choice, a password that was there first is refused because of the company, and does not count as wrong.
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('signIn.password')) sent.push(request.postData() ?? '');
    });
    await page.goto(signIn);
    await field(page, 'Password').fill(PASSWORD);
    await field(page, 'Email').fill('member@acme.test');
    await page.keyboard.press('Tab');
    await button(page, 'Continue with Acme').waitFor();
    expect(await field(page, 'Password').inputValue()).toBe(PASSWORD);
    await button(page, 'Sign in').click();
    await page.getByText('Your organization requires you to sign in').waitFor();
    expect(sent).toEqual([expect.not.stringContaining('withoutSso')]);

    // The choice of a password stays while the address is edited.
    await button(page, 'Admin with an exemption? Sign in another way').click();
    await field(page, 'Password').and(page.locator(':focus')).waitFor();
    await field(page, 'Email').fill('');
    await field(page, 'Email').fill('owner@acme.test');
    await page.keyboard.press('Tab');
    await button(page, 'Continue with Acme').waitFor();
    await field(page, 'Email').press('Enter');
    await field(page, 'Password').fill(PASSWORD);
    await button(page, 'Sign in').click();
    await page.waitForURL('**/portal/you');
    expect(sent).toEqual([expect.anything(), expect.stringContaining('withoutSso')]);
    await page.context().clearCookies();

    // A page that Back restores from memory can be used again.
    await page.goto(signIn);
    await field(page, 'Email').fill('member@acme.test');
    await page.route('**/sso/*/start*', (route) => route.fulfill({ status: 204 }));
    const left = page.waitForResponse(/\/sso\/[0-9a-f]+\/start/);
    await page.keyboard.press('Enter');
    await left;
    await page.locator('button[aria-busy=true]').first().waitFor();
    const again = page.waitForEvent('load');
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await again;
    await field(page, 'Email').waitFor();
    expect(await page.locator('[aria-busy=true]').count()).toBe(0);
    await page.unroute('**/sso/*/start*');

    // Any other refusal leads there too, and then to the page that the person wanted.
    await page.goto(at(`code?${new URLSearchParams({ next: '/portal/you' }).toString()}`));
    await field(page, 'Email').fill('member@acme.test');
    await button(page, 'Email me a code').click();
    await button(page, 'Continue to company sign-in').click();
    await page.waitForURL('**/portal/you');
    await page.context().clearCookies();

    // Before the company of the address is known, the refusal of the password reveals it.
    await page.route('**/sso.discover*', (route) => route.abort());
    await page.goto(signIn);
    await field(page, 'Email').fill('member@acme.test');
    await field(page, 'Password').fill(PASSWORD);
    await button(page, 'Sign in').click();
    await page.getByText('Your organization requires you to sign in').waitFor();
    await button(page, 'Continue to company sign-in').click();
    await page.waitForURL('**/portal/you');
    expect(complaints.filter((each) => !each.includes('ERR_FAILED'))).toEqual([]);
  });
});
