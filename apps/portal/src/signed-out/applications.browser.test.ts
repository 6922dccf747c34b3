import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertTestApplication } from '@gatehouse/features/test/test-applications';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { type OpenPortal, openPortal, PASSWORD } from '../test/open-portal.js';
import { addMember, addMemberWithApp } from '../test/people.js';

const dialect = inject('dialect');

/** An application, and the address that begins a sign-in to it. */
async function begin(
  { service, at }: OpenPortal,
  createdById: number,
  more: Record<string, string> = {},
  accountId: number | null = null,
) {
  await insertTestApplication(service.database, { accountId, createdById, scopes: ['openid', 'account'] });
  const [application] = await service.database.select().from(service.database.tables.applications);
  const query = new URLSearchParams({
    client_id: application?.clientId ?? '',
    redirect_uri: 'https://wiki.example.com/callback',
    response_type: 'code',
    scope: 'openid',
    // The one in RFC 7636, appendix B.
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...more,
  });
  return `${new URL(at('')).origin}/oauth/authorize?${query.toString()}`;
}

async function signIn({ page }: OpenPortal, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

it('an application leads through sign-in and consent, and gets a code', async () => {
  await using portal = await openPortal(dialect);
  const { page } = portal;
  const { id, email } = await addMember(portal);
  await page.goto(await begin(portal, id));
  await signIn(portal, email);
  await page.getByRole('heading', { name: 'Let Wiki use your account?' }).waitFor();
  expect(await findingsOfAxe(page)).toEqual([]);
  const back = page.waitForRequest(/wiki\.example\.com/);
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  expect((await back).url()).toContain('https://wiki.example.com/callback?code=');
});

it('an application asks in the language that was chosen at the sign-in', async () => {
  await using portal = await openPortal(dialect);
  const { page } = portal;
  const { id, email } = await addMember(portal);
  await page.goto(await begin(portal, id));
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.getByLabel('E-Mail').fill(email);
  await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Erlauben' }).waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('de');
});

it.each([
  ['en', 'light', 'Allow', 'Cancel'],
  ['de', 'dark', 'Erlauben', 'Abbrechen'],
] as const)(
  'an application asks on a page that looks like the product, on a phone: %s, %s',
  async (language, colorScheme, allow, cancel) => {
    await using portal = await openPortal(dialect);
    const { page } = portal;
    const { id, email } = await addMember(portal, { 1: 1, 2: 5 });
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme });
    await page.goto(await begin(portal, id, { scope: 'openid account' }));
    await page.setExtraHTTPHeaders({ 'accept-language': language });
    await signIn(portal, email);
    await page.getByRole('button', { name: allow }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => void requests.push(request.url()));
    const shown = await page.reload();
    expect(requests).toEqual([page.url()]);
    expect(shown?.headers()['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(await page.title()).toMatch(/ · Gatehouse$/);
    const banner = page.getByRole('banner');
    expect([await banner.textContent(), await banner.locator('svg').count()]).toEqual(['Gatehouse', 1]);
    const colors: unknown = await page.evaluate(
      "['main', 'header', 'button'].map((name) => getComputedStyle(document.querySelector(name)).backgroundColor)",
    );
    expect(colors).toEqual(
      colorScheme === 'light'
        ? ['oklch(0.998 0.002 95)', 'rgba(0, 0, 0, 0)', 'oklch(0.43 0.085 215)']
        : ['oklch(0.228 0.016 230)', 'rgba(0, 0, 0, 0)', 'oklch(0.8 0.09 205)'],
    );
    const places = await Promise.all(
      [allow, cancel].map((name) => page.getByRole('button', { name }).boundingBox()),
    );
    expect(places[0]?.y).toBe(places[1]?.y);
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(await flawsOfLook(page)).toEqual([]);
    const back = page.waitForRequest(/wiki\.example\.com/);
    await page.getByRole('button', { name: cancel }).click();
    expect((await back).url()).toContain('error=access_denied');
  },
);

it('an application that asks for a new sign-in gets one from a person who is signed in', async () => {
  await using portal = await openPortal(dialect);
  const { page, at, complaints } = portal;
  const { id, email } = await addMember(portal);
  await page.goto(at('sign-in'));
  await signIn(portal, email);
  await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
  await page.goto(await begin(portal, id, { prompt: 'login' }));
  await page.getByText('The app asks you to sign in again.').waitFor();
  expect(await page.getByRole('link', { name: 'Continue' }).count()).toBe(0);
  expect(await flawsOfLook(page)).toEqual([]);
  await signIn(portal, email);
  await page.getByRole('heading', { name: 'Let Wiki use your account?' }).waitFor();
  expect(complaints).toEqual([]);
});

it('an application that asks for a new sign-in tells a person who is already at the sign-in why', async () => {
  await using portal = await openPortal(dialect);
  const { page } = portal;
  const { id, email } = await addMember(portal);
  const start = await begin(portal, id);
  await page.goto(start);
  await signIn(portal, email);
  await page.getByRole('heading', { name: 'Let Wiki use your account?' }).waitFor();
  await page.goto(`${start}&prompt=login`);
  await page.getByText('The app asks you to sign in again.').waitFor();
  expect(await page.getByText(email).count()).toBe(1);
});

it.each([
  ['of an organization', 1, 'openid'],
  ['for an organization', null, 'openid account'],
])('an application %s that asks for a second step leads to it, and back', async (_what, accountId, scope) => {
  await using portal = await openPortal(dialect);
  const { page, at, service, complaints } = portal;
  const { id, email, token, code } = await addMemberWithApp(portal, { 1: 3 });
  await service.send('/v1/verification/prove', { token, body: { code: code() } });
  portal.wait(60_000);
  const switched = await service.send('/v1/factor/switch', { token, body: { secondFactor: false } });
  expect(switched.status).toBe(200);
  await page.goto(at('sign-in'));
  await signIn(portal, email);
  await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
  const { database } = service;
  await changeAccess(database, { accounts: [1] }, (tx) =>
    setAccountPolicy(tx, {
      accountId: 1,
      requiredLevel: 2,
      requiredFromMs: null,
      requiredUntilThen: 1,
      nowMs: portal.nowMs(),
    }),
  );
  await page.goto(await begin(portal, id, { scope }, accountId));
  await page.getByText('second step or a passkey').first().waitFor();
  expect(await findingsOfAxe(page)).toEqual([]);
  expect(await flawsOfLook(page)).toEqual([]);
  await page.getByRole('link', { name: "Confirm it's you for Acme Studio" }).click();
  await page.getByRole('button', { name: "Confirm it's you" }).click();
  await page.getByLabel('Code').fill(code());
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('heading', { name: 'Let Wiki use your account?' }).waitFor();
  const back = page.waitForRequest(/wiki\.example\.com/);
  if (accountId === null) expect(await page.getByLabel('Organization').inputValue()).toBe('1');
  await page.getByRole('button', { name: 'Allow' }).click();
  expect((await back).url()).toContain('https://wiki.example.com/callback?code=');
  expect(complaints).toEqual([]);
});
