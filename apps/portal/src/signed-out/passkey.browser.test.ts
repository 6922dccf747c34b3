import { insertTestDomain, insertTestSso } from '@gatehouse/features/test/test-sso';
import { describe, expect, inject, it } from 'vitest';
import { keyboard, mouse, useHand } from '../test/hands.js';
import { type OpenPortal, openPortal, PASSWORD } from '../test/open-portal.js';
import { addMember, addMemberWithApp } from '../test/people.js';

const dialect = inject('dialect');

/** Adds a passkey as a page of the service would, in a browser with an authenticator of its own. */
async function addPasskey({ page, service, at }: OpenPortal, member: { token: string }) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable', { enableUI: false });
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(at('help'));
  const call = async (name: string, body: object) =>
    (await (await service.send(`/v1/${name}`, { body, token: member.token })).json()) as {
      data: { flow: string; options: object };
      backupCodes?: string[];
    };
  await call('verification/prove', { password: PASSWORD });
  const { data } = await call('passkey/addOptions', {});
  const response = await page.evaluate<object>(`(async () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(data.options)});
    return (await navigator.credentials.create({ publicKey })).toJSON();
  })()`);
  return call('passkey/add', { flow: data.flow, response });
}

describe('a passkey', () => {
  it('signs in by the button, or from the autofill of the field', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    const member = await addMember(portal);
    await addPasskey(portal, member);
    // The authenticator of the test answers at once what a person would choose in the field.
    await page.goto(at('sign-in'));
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    for (const hand of [mouse, keyboard]) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('button', { name: 'Sign out' }).click();
      await useHand(page, hand, dialect);
      await hand.press(page.getByRole('button', { name: 'Sign in with a passkey' }));
      await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    }
    expect(complaints).toEqual([]);
  });
});

describe('a passkey of somebody whose company requires its own sign-in', () => {
  it('leads to the company without asking for an address, and signs in exempt owners who choose to', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at, service } = portal;
    const ACME = { accountId: 1, createdById: 3 };
    const owner = await addMember(portal, { 1: 1 });
    await addPasskey(portal, owner);
    await insertTestDomain(service.database, { ...ACME, domain: 'many.test', isVerified: true });
    await insertTestSso(service.database, { ...ACME, required: true, exemptIds: [owner.id] });
    // The authenticator answers at once what a person would choose in the field.
    await page.goto(at('sign-in'));
    await page.getByText('Your organization requires you to sign in').waitFor();
    const toCompany = page.waitForRequest(/\/sso\/[0-9a-f]+\/start/);
    await page.route('**/sso/*/start*', (route) => route.fulfill({ status: 204 }));
    await page.getByRole('button', { name: 'Continue to company sign-in' }).click();
    await toCompany;
    await page.goto(at('sign-in'));
    await page.getByRole('button', { name: 'Admin with an exemption? Sign in another way' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a passkey as the second step', () => {
  it('is offered first, beside the other ways', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    const member = await addMemberWithApp(portal);
    await addPasskey(portal, member);
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await page.goto(at('sign-in'));
    await page.getByLabel('Email').fill(member.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    await page.getByRole('button', { name: 'Use the authenticator app' }).waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a sign-in whose passkey dialog is closed', () => {
  it('shows no error, and leaves the form as it was', async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    await page.addInitScript(`
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
      navigator.credentials.get = async () => { throw new DOMException('No', 'NotAllowedError'); };
    `);
    await page.goto(at('sign-in'));
    await page.getByLabel('Email').fill('a@b.test');
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await button.click();
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByLabel('Email').inputValue()).toBe('a@b.test');
  });
});
