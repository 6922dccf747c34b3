import { generateKeyPairSync } from 'node:crypto';
import { signInByPassword } from '@gatehouse/testkit';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { type Hand, handsInTurn, keyboard, mouse, useHand } from '../../../../test/hands.js';
import { type OpenPortal, openPortal, PASSWORD } from '../../../../test/open-portal.js';
import { signInAs } from '../../../../test/sign-in-as.js';

const dialect = inject('dialect');

type Page = OpenPortal['page'];

const SCREEN = 'a/1/developers/applications';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** Calls the service as an owner of organization 1. */
async function asOwner({ service }: OpenPortal) {
  const { token } = await signInByPassword(service, 'owner@acme.test', PASSWORD);
  return async (call: string, body: object) =>
    (await (await service.send(`/v1/${call}`, { token, accountId: 1, body })).json()) as { data: unknown };
}

/** Chooses from the menu of the application. */
async function choose(page: Page, action: string, hand: Hand): Promise<void> {
  await hand.press(button(page, 'More'));
  await hand.press(button(page, action));
}

describe('the applications of an organization', () => {
  it('are registered, changed, given secrets, deactivated and removed', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    const call = await asOwner(portal);
    await signInAs(portal, page, 'owner@acme.test', SCREEN);
    for (const [hand, name] of handsInTurn(dialect, [
      [mouse, 'Wiki'],
      [keyboard, '<b>Wiki</b> & co.'],
    ] as const)) {
      await useHand(page, hand, dialect);
      await page.goto(at(SCREEN));
      await page.getByRole('heading', { name: 'No applications yet' }).waitFor();
      await hand.press(button(page, 'Register application'));
      await hand.write(field(page, 'Name'), name);
      const uris = field(page, 'Redirect URIs');
      await uris.fill('https://wiki.example.com/callback\n\nhttp://wiki.example.com/callback');
      // What was typed is kept while another type is selected.
      await hand.choose(page.getByLabel('Type', { exact: true }), 'Machine');
      await page.getByText('There is no machine yet.').waitFor();
      expect(await uris.count()).toBe(0);
      // Devices have no address to return to, but may be notified of sign-outs.
      await hand.choose(page.getByLabel('Type', { exact: true }), 'Device without a browser');
      await field(page, 'Back-channel logout URI (optional)').waitFor();
      expect(await uris.count()).toBe(0);
      await hand.choose(page.getByLabel('Type', { exact: true }), 'Web application');
      await page.getByRole('checkbox', { name: 'email' }).press('Space');
      await hand.press(button(page, 'Register application').last());
      await page.getByText('Line 3: Use an https address').waitFor();
      expect(await uris.getAttribute('aria-invalid')).toBe('true');
      expect(await findingsOfAxe(page)).toEqual([]);
      await uris.fill('https://wiki.example.com/callback\nhttps://wiki.example.com/other');
      await hand.press(button(page, 'Register application').last());
      await page.getByText(`${name} was registered.`).waitFor();
      const registered = {
        name,
        type: 'web',
        redirectUris: ['https://wiki.example.com/callback', 'https://wiki.example.com/other'],
        scopes: ['openid', 'email'],
        active: true,
      };
      const { data } = await call('app/list', {});
      expect(data).toMatchObject([registered]);
      const [{ clientId = '' } = {}] = data as { clientId?: string }[];
      await page.getByText(clientId, { exact: true }).waitFor();
      await button(page, 'Copy client ID').waitFor();

      await hand.press(button(page, 'Add client secret'));
      await hand.press(button(page, 'Create client secret'));
      const shown = page.getByRole('dialog').getByText(/^gthc_[0-9A-Za-z]{39}$/);
      const secret = (await shown.textContent()) ?? '';
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.press(button(page, "I've saved it"));
      expect(await page.getByText(secret).count()).toBe(0);
      const start = secret.slice(0, 12);
      const row = page.getByRole('listitem').filter({ hasText: start });
      await row.getByText('Never used').waitFor();
      expect(await flawsOfLook(page)).toEqual([]);
      await useHand(page, hand, dialect);
      await hand.press(button(page, `Actions for ${start}`));
      await hand.press(button(page, `Remove… ${start}`));
      await hand.press(button(page, 'Remove client secret'));
      await page.getByText(`The client secret ${start}… was removed.`).waitFor();
      await page.getByText('No client secret yet.').waitFor();

      await hand.press(button(page, 'Edit…'));
      expect(await page.getByRole('checkbox', { name: 'email' }).isChecked()).toBe(true);
      await page.getByRole('checkbox', { name: 'member.list' }).press('Space');
      await hand.press(button(page, 'Save application'));
      await page.getByText(`${name} was saved.`).waitFor();
      await page.getByText('openid, email, member.list').waitFor();

      await choose(page, 'Deactivate…', hand);
      await hand.press(button(page, 'Deactivate application'));
      await page.getByRole('heading', { name: 'Deactivated' }).waitFor();
      expect((await call('app/list', {})).data).toMatchObject([{ active: false }]);
      await hand.press(button(page, 'Activate…').first());
      await hand.press(button(page, 'Activate application'));
      await page.getByRole('heading', { name: 'Active' }).waitFor();
      expect((await call('app/list', {})).data).toMatchObject([{ active: true }]);

      await choose(page, 'Remove…', hand);
      await hand.press(button(page, 'Remove application'));
      await page.getByText('The application loses access immediately').waitFor();
      await hand.write(page.getByLabel('Type it here'), name);
      await hand.press(button(page, 'Remove application'));
      await page.getByText(`${name} was removed.`).waitFor();
      await page.getByRole('heading', { name: 'No applications yet' }).waitFor();
      expect((await call('app/list', {})).data).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  it('keep the keys that were saved over the API until a key set URL is entered in the form', async () => {
    await using portal = await openPortal(dialect);
    const { page } = portal;
    const call = await asOwner(portal);
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = { keys: [publicKey.export({ format: 'jwk' })] };
    const redirectUris = ['https://wiki.example.com/callback'];
    const { data } = await call('app/save', { name: 'Wiki', type: 'web', redirectUris, jwks });
    const { id } = data as { id: number };
    const save = async (name: string, address: string) => {
      await button(page, 'Edit…').click();
      await field(page, 'Name').fill(name);
      await field(page, 'Key set URL (optional)').fill(address);
      await button(page, 'Save application').click();
      await page.getByText(`${name} was saved.`).waitFor();
      return (await call('app/list', {})).data;
    };
    await signInAs(portal, page, 'owner@acme.test', `${SCREEN}/${id}`);
    await page.getByText('This application authenticates with its keys').waitFor();
    expect(await save('Wiki 2', '')).toMatchObject([{ jwks, jwksUri: null }]);
    const jwksUri = 'https://wiki.example.com/keys.json';
    expect(await save('Wiki 3', jwksUri)).toMatchObject([{ jwks: null, jwksUri }]);
    await page.getByText(jwksUri).waitFor();
    expect(await save('Wiki 4', '')).toMatchObject([{ jwks: null, jwksUri: null }]);
    await page.getByText('No client secret yet.').waitFor();
  });

  it('of one host without API scopes get a separate ID for each member; others are told why not', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const call = await asOwner(portal);
    const redirectUris = ['https://wiki.example.com/callback', 'https://wiki.example.org/callback'];
    const scopes = ['openid', 'member.list'];
    const { data } = await call('app/save', { name: 'Wiki', type: 'web', redirectUris, scopes });
    await signInAs(portal, page, 'owner@acme.test', `${SCREEN}/${(data as { id: number }).id}`);
    await page.getByText('The same ID everywhere (public)').waitFor();
    await button(page, 'Edit…').click();
    const ids = page.getByLabel('Member ID (sub)');
    await ids.selectOption({ label: 'A separate ID (pairwise)' });
    await page.getByText(/^Applications of other publishers .* sees all members as new\.$/).waitFor();
    await button(page, 'Save application').click();
    await page.getByText('All redirect URIs must have the same host.', { exact: true }).waitFor();
    expect(await ids.getAttribute('aria-invalid')).toBe('true');
    expect(await findingsOfAxe(page)).toEqual([]);
    await field(page, 'Redirect URIs').fill(redirectUris[0] ?? '');
    await button(page, 'Save application').click();
    await page.getByText(/^An application that can call an API/).waitFor();
    await page.getByRole('checkbox', { name: 'member.list' }).uncheck();
    await button(page, 'Save application').click();
    await page.getByText('Wiki was saved.').waitFor();
    await page.getByText('A separate ID (pairwise)').waitFor();
    expect((await call('app/list', {})).data).toMatchObject([
      { subjectType: 'pairwise', scopes: ['openid'] },
    ]);
    // What is said elsewhere in the form changes nothing about it.
    await button(page, 'Edit…').click();
    await field(page, 'Name').fill('Wiki 2');
    await button(page, 'Save application').click();
    await page.getByText('Wiki 2 was saved.').waitFor();
    expect((await call('app/list', {})).data).toMatchObject([{ subjectType: 'pairwise' }]);
    expect(complaints).toEqual([]);
  });

  it('show a new secret before the list loads again, and say what to do when the response with it is lost', async () => {
    await using portal = await openPortal(dialect);
    const { page } = portal;
    const call = await asOwner(portal);
    const redirectUris = ['https://wiki.example.com/callback'];
    const { data } = await call('app/save', { name: 'Wiki', type: 'web', redirectUris });
    await signInAs(portal, page, 'owner@acme.test', `${SCREEN}/${(data as { id: number }).id}`);
    const add = async () => {
      await button(page, 'Add client secret').click();
      await button(page, 'Create client secret').click();
    };
    const detail = '**/trpc/app.detail**';
    let answer = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await button(page, 'Add client secret').waitFor();
    await page.route(detail, async (route) => {
      await isHeld;
      await route.continue();
    });
    await add();
    await page
      .getByRole('dialog')
      .getByText(/^gthc_/)
      .waitFor();
    await button(page, "I've saved it").click();
    await page.getByText('No client secret yet.').waitFor();
    answer();
    await button(page, /^Actions for gthc_/).waitFor();
    await page.unroute(detail);

    await page.route('**/trpc/app.addSecret**', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await add();
    await page.getByRole('dialog').getByText('If it is in the list, remove it').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await button(page, 'Cancel').click();
    await expect.poll(() => button(page, /^Actions for gthc_/).count()).toBe(2);
    // Two are the maximum.
    expect(await button(page, 'Add client secret').count()).toBe(0);
  });

  it('ask for a proof of identity when the last one is old, and keep what was typed', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'owner@acme.test', SCREEN);
    await page.getByRole('heading', { name: 'No applications yet' }).waitFor();
    portal.wait(11 * 60_000);
    await button(page, 'Register application').click();
    await field(page, 'Name').fill('Phone app');
    await page.getByLabel('Type', { exact: true }).selectOption('Mobile or desktop app');
    await field(page, 'Redirect URIs').fill('com.example.wiki:/callback');
    await button(page, 'Register application').last().click();
    const proof = page.getByRole('dialog', { name: "Confirm it's you" });
    await proof.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Continue').click();
    await page.getByText('Phone app was registered.').waitFor();
    await page.getByText('com.example.wiki:/callback').waitFor();
    // An app that is installed on devices cannot keep a secret.
    expect(await page.getByRole('heading', { name: 'Client secrets' }).count()).toBe(0);
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('show that one was blocked, and offer no way to activate it', async () => {
    await using portal = await openPortal(dialect);
    const { page, service, complaints } = portal;
    const call = await asOwner(portal);
    const redirectUris = ['https://wiki.example.com/callback'];
    const { data } = await call('app/save', { name: 'Wiki', type: 'spa', redirectUris });
    const { id } = data as { id: number };
    const { applications } = service.database.tables;
    await service.database.write(service.database.update(applications).set({ active: false, blocked: true }));
    await signInAs(portal, page, 'owner@acme.test', `${SCREEN}/${id}`);
    await page.getByText('Support has blocked this application.').waitFor();
    await button(page, 'More').click();
    await button(page, 'Remove…').waitFor();
    expect(await button(page, 'Activate…').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('are hidden from those who may not manage them', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'manager@acme.test', SCREEN);
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    expect(complaints).toEqual([]);
  });
});
