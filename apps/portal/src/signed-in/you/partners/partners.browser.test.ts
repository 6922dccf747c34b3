import { exchange, loginTokenIn, partnerClient } from '@gatehouse/features/test/partner-client';
import { billingEnvironment } from '@gatehouse/simulator';
import { findingsOfAxe, flawsOfLook, screenShown, settle } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { openPortal } from '../../../test/open-portal.js';
import { addMember } from '../../../test/people.js';
import { screensSignedIn } from '../../../test/screens-signed-in.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');

describe('partners', () => {
  it('get and lose access to all accounts as the member decides', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const { id, email } = await addMember(portal);
    const { database } = service;
    const { partnerMembers } = database.tables;
    await database.insert(partnerMembers, { partnerId: 1, memberId: id, linkedAtMs: Date.now() });
    await signInAs(portal, page, email, 'you/partners');
    await page.getByText('One partner can sign you in.').waitFor();
    await page.getByText('Can sign you in only to the organizations it created for you').waitFor();
    expect(await flawsOfLook(page)).toEqual([]);

    await page.getByRole('button', { name: 'Allow access to all organizations acme-partner' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Give acme-partner access to all your organizations?' });
    await dialog.waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Allow access' }).click();
    await page.getByText('Can sign you in to all your organizations').waitFor();
    const consent = async () => (await database.select().from(partnerMembers))[0]?.consentedAtMs;
    expect(await consent()).not.toBeNull();
    await page.getByRole('button', { name: 'Limit to its own organizations acme-partner' }).press('Enter');
    await page.getByText('No partner has access to').waitFor();
    expect(await consent()).toBeNull();
    expect(complaints).toEqual([]);
  });

  it('lose their link when the member ends it, and keep it when the member cancels', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const { id, email } = await addMember(portal);
    const { database } = service;
    const { partnerMembers } = database.tables;
    await database.insert(partnerMembers, { partnerId: 1, memberId: id, linkedAtMs: Date.now() });
    await signInAs(portal, page, email, 'you/partners');
    const end = page.getByRole('button', { name: 'Remove link acme-partner' });
    await end.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Remove the link to acme-partner?' });
    await dialog.waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await database.select().from(partnerMembers)).toHaveLength(1);
    await end.click();
    await dialog.getByRole('button', { name: 'Remove link' }).click();
    await page.getByText("You're not signed in through any partner.").waitFor();
    expect(await database.select().from(partnerMembers)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("do not count as a way to sign in while they await the member's approval", async () => {
    await using portal = await openPortal(dialect);
    const { page, service } = portal;
    const { id, email } = await addMember(portal);
    const { database } = service;
    const times = { linkedAtMs: Date.now(), heldSinceMs: Date.now() };
    await database.insert(database.tables.partnerMembers, { partnerId: 1, memberId: id, ...times });
    await signInAs(portal, page, email, 'you/partners');
    await page.getByText('0 partners can sign you in.').waitFor();
    await page.getByRole('button', { name: 'Allow it to sign me in acme-partner' }).click();
    await page.getByText('One partner can sign you in.').waitFor();
    expect((await database.select().from(database.tables.partnerMembers))[0]?.heldSinceMs).toBeNull();
  });

  it('are an empty list for a member registered by no partner', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const { email } = await addMember(portal);
    await signInAs(portal, page, email);
    await page.getByRole('link', { name: 'Partners' }).click();
    await page.getByText("You're not signed in through any partner.").waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** The buttons that may be pressed without changing anything except the page. */
const HARMLESS = /^(Menu|Deutsch|Sign out|Organization: .*|Show more|Person|Role|Joined|Same as device.*)$/;

describe('a session that a partner began', () => {
  it('offers nothing that the service would refuse, and says how to do it instead', async () => {
    await using portal = await openPortal(dialect, billingEnvironment('http://127.0.0.1:9'));
    const { page, complaints, service, at } = portal;
    const client = await partnerClient(service);
    const { loginUrl, accountId } = await client.register({ email: 'brought@acme.test' });
    const { token } = await exchange(service, loginTokenIn(loginUrl));
    await page
      .context()
      .addCookies([{ name: 'gatehouse-dev', value: token, domain: 'localhost', path: '/' }]);
    const refused: string[] = [];
    page.on('response', (response) => {
      if ([401, 403].includes(response.status())) refused.push(`${response.status()} ${response.url()}`);
    });
    for (const screen of await screensSignedIn(accountId)) {
      await page.goto(at(screen));
      await screenShown(page);
      await settle(page);
      await page.getByText('acme-partner signed you in.').waitFor();
      const offered = await page
        .locator('button, input, select, textarea')
        .evaluateAll((all) =>
          all.map((each) => (each.getAttribute('aria-label') ?? each.textContent ?? '').trim()),
        );
      expect([screen, offered.filter((name) => !HARMLESS.test(name)), refused]).toEqual([screen, [], []]);
    }
    await page.goto(at('you/security'));
    await page.getByRole('heading', { level: 1, name: 'Sign in yourself to see this' }).waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('link', { name: 'sign in yourself' }).press('Enter');
    await page.waitForURL(at('sign-in?next=%2Fportal%2Fyou%2Fsecurity'));
    expect(complaints).toEqual([]);
  });
});
