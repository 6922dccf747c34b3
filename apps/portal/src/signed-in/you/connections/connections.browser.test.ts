import { providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { findingsOfAxe } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { openPortal } from '../../../test/open-portal.js';
import { addMember } from '../../../test/people.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');

describe('the connections of a member', () => {
  it('are made at the provider, and removed again', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at, complaints } = portal;
    const { email } = await addMember(portal);
    await signInAs(portal, page, email, 'you/connections');
    await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor();
    await page.getByRole('button', { name: 'GitHub', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('E-mail address').fill('ada@rivera.test');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('button', { name: 'Disconnect GitHub' }).waitFor();
    await page.getByText('GitHub is connected.').waitFor();
    await page.getByRole('button', { name: 'Another GitHub account' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/portal/you/connections');
    expect(await findingsOfAxe(page)).toEqual([]);

    await page.getByRole('button', { name: 'Disconnect GitHub' }).click();
    await page.getByText('the data GitHub shared with us is erased').waitFor();
    await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await page.getByText('GitHub is no longer connected.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor();

    // As after an abandoned test of an identity provider.
    await page.evaluate(
      "sessionStorage.setItem('gatehouse.test', '/portal/a/1/settings/directory/1?test=1')",
    );
    await page.getByRole('button', { name: 'Google', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Nothing was connected' }).waitFor();
    await page.getByText('Connecting Google was canceled. Nothing has changed.').waitFor();
    await page.getByRole('link', { name: 'Back to your connections' }).click();
    await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor();
    expect(page.url()).toBe(at('you/connections'));
    expect(complaints.filter((each) => each.includes('policy'))).toEqual([]);
  });

  it('say so when the profile at the provider belongs to another member', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at } = portal;
    const theirs = await portal.newPage({ isOtherPerson: true });
    await theirs.goto(at('sign-in'));
    await theirs.getByRole('button', { name: 'GitHub', exact: true }).click();
    await theirs.getByLabel('E-mail address').fill('ada@rivera.test');
    await theirs.getByRole('button', { name: 'Allow' }).click();
    await theirs.getByRole('heading', { name: /^Welcome, / }).waitFor();

    const { email } = await addMember(portal);
    await signInAs(portal, page, email, 'you/connections');
    await page.getByRole('button', { name: 'GitHub', exact: true }).click();
    await page.getByLabel('E-mail address').fill('ada@rivera.test');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Nothing was connected' }).waitFor();
    await page.getByText('This provider account is connected to someone else here.').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Back to your connections' }).click();
    await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor();
  });

  it('say why the only way to sign in cannot be removed', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at } = portal;
    await page.goto(at('sign-in'));
    // The provider sends no address.
    await page.getByRole('button', { name: 'TikTok', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    await page.goto(at('you/connections'));
    await page.getByText('This is your only way to sign in').waitFor();
    expect(await page.getByRole('button', { name: /^Disconnect/ }).count()).toBe(0);
    expect(await findingsOfAxe(page)).toEqual([]);
  });
});
