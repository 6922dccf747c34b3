import { PROVIDER_KEYS, providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { keyboard, mouse, useHand } from '../test/hands.js';
import { openPortal } from '../test/open-portal.js';
import { addMember } from '../test/people.js';
import { PROVIDER_NAMES } from './provider-names.js';

const dialect = inject('dialect');

describe('signing in through a provider', () => {
  it('works with each of the six providers, the first time and again', {
    timeout: 180_000,
  }, async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at } = portal;
    for (const hand of [mouse, keyboard]) {
      await useHand(page, hand, dialect);
      for (const key of PROVIDER_KEYS) {
        await page.goto(at('sign-in'));
        await hand.press(page.getByRole('button', { name: PROVIDER_NAMES[key], exact: true }));
        await hand.write(page.getByLabel('E-mail address'), `${key}@rivera.test`);
        await hand.press(page.getByRole('button', { name: 'Allow' }));
        await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
        expect(page.url()).toBe(at(''));
        await page.context().clearCookies();
      }
    }
    expect(portal.complaints.filter((each) => each.includes('policy'))).toEqual([]);
  });

  it('continues when the redirect from the provider arrives a second time', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at } = portal;
    let callback = '';
    page.on('request', (request) => {
      if (request.url().includes('/social/github/callback?')) callback = request.url();
    });
    await page.goto(at('sign-in'));
    await page.getByRole('button', { name: 'GitHub', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    await page.goto(callback);
    await page.getByRole('heading', { name: "You're already signed in" }).waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();

    const other = await portal.newPage({ isOtherPerson: true });
    await other.goto(callback);
    await other.getByRole('heading', { name: "You're not signed in" }).waitFor();
  });

  it('tells members on the next page that it has connected the provider', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at } = portal;
    const { email } = await addMember(portal);
    const told = page.getByText('GitHub is now connected to your account');
    for (const isFirst of [true, false]) {
      await page.goto(at('sign-in?next=/portal/you'));
      await page.getByRole('button', { name: 'GitHub', exact: true }).click();
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
      if (isFirst) await told.waitFor();
      else expect(await told.count()).toBe(0);
      expect(await flawsOfLook(page)).toEqual([]);
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
      expect(await told.count()).toBe(0);
      await page.context().clearCookies();
    }
  });

  it('says so when somebody declines at the provider, which then is not marked as the one used last', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at } = portal;
    await page.goto(at('sign-in'));
    await page.getByRole('button', { name: 'GitHub', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: "You're not signed in" }).waitFor();
    await page.getByText('Sign-in was canceled at GitHub.').waitFor();
    expect(page.url()).toBe(at('social'));
    expect(await flawsOfLook(page)).toEqual([]);

    const github = page.getByRole('button', { name: 'GitHub', exact: true });
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await github.waitFor();
    expect(await page.getByText('Last used').count()).toBe(0);
    await github.click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    await page.context().clearCookies();
    await page.goto(at('sign-in'));
    await github.getByText('Last used').waitFor();
  });

  it('marks a provider as the one used last when the sign-in is confirmed in another tab', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at, newPage } = portal;
    let landed = '';
    page.on('request', (request) => {
      if (request.url().includes('/socialAuth?')) landed = request.url();
    });
    // The tab that began does not finish.
    await page.route('**/portal/social', (route) => route.abort());
    await page.goto(at('sign-in'));
    await page.getByRole('button', { name: 'GitHub', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await expect.poll(() => landed).toContain('user=');
    const other = await newPage();
    await other.goto(landed);
    await other.getByRole('button', { name: 'Yes, sign me in' }).click();
    await other.getByRole('heading', { name: /^Welcome, / }).waitFor();
    await other.context().clearCookies();
    await other.goto(at('sign-in'));
    await other.getByRole('button', { name: 'GitHub', exact: true }).getByText('Last used').waitFor();
  });

  it("asks before another person's link signs in", async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at } = portal;
    // The way of an attacker: their own sign-in, up to the link that ends it.
    await page.goto(`${new URL(at('')).origin}/social/github`);
    await page.getByLabel('E-mail address').fill('mallory@rivera.test');
    let landed = '';
    page.on('request', (request) => {
      if (request.url().includes('/socialAuth?')) landed = request.url();
    });
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Did you just sign in with a provider?' }).waitFor();
    expect(landed).toContain('user=');

    const other = await portal.newPage({ isOtherPerson: true });
    const askedFrom: string[] = [];
    other.on('request', (request) => {
      if (request.url().includes('portal.settings')) askedFrom.push(other.url());
    });
    await other.goto(landed);
    await other.getByRole('heading', { name: 'Did you just sign in with a provider?' }).waitFor();
    expect(other.url()).toBe(at('social'));
    // The token is removed from the address before the first call.
    expect(askedFrom).toEqual([at('social')]);
    expect(await flawsOfLook(other)).toEqual([]);
    await other.getByRole('link', { name: 'No, go to sign-in' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await other.context().cookies()).toEqual([]);
  });
});
