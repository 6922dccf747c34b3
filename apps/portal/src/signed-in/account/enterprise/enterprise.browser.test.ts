import { startDnsServer } from '@gatehouse/features/test/dns-server';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { handsInTurn, keyboard, mouse, useHand } from '../../../test/hands.js';
import { type OpenPortal, openPortal } from '../../../test/open-portal.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');

const button = (page: OpenPortal['page'], name: string | RegExp) =>
  page.getByRole('button', { name, exact: true });

describe('the directory of a company', () => {
  it('is connected by an owner, who proves domains and creates a token for it', {
    timeout: 120_000,
  }, async () => {
    await using dns = await startDnsServer();
    await using portal = await openPortal(dialect, { DNS_SERVERS: dns.address });
    const { page, complaints, service } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/settings');
    await page.getByRole('link', { name: 'Set up', exact: true }).click();
    await page.getByText('No domains yet.').waitFor();
    for (const [hand, domain, name] of handsInTurn(dialect, [
      [mouse, 'acme.example', 'Entra ID'],
      [keyboard, 'works.example', '<b>Okta</b> & co.'],
    ] as const)) {
      await useHand(page, hand, dialect);
      await hand.press(button(page, 'Add domain').first());
      await hand.write(page.getByRole('textbox', { name: 'Domain' }), 'gmail.com');
      await hand.press(button(page, 'Add domain').last());
      await page.getByText('Use a domain of your company.').waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.write(page.getByRole('textbox', { name: 'Domain' }), domain);
      await hand.press(button(page, 'Add domain').last());
      const dialog = page.getByRole('dialog', { name: `DNS record for ${domain}` });
      await dialog.waitFor();
      const [record = '', value = ''] = await dialog.locator('.select-all').allTextContents();
      expect(record).toBe(`_gatehouse.${domain}`);
      dns.set(record, [['v=spf1 -all']]);
      await hand.press(button(page, 'Check'));
      await page.getByText("The record isn't there yet.").waitFor();
      await page.getByText('Found instead: v=spf1 -all').waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
      dns.set(record, [[value]]);
      await hand.press(button(page, 'Check'));
      await page.getByText(`${domain} is verified.`).waitFor();

      await hand.press(button(page, 'Create token'));
      await hand.write(page.getByRole('textbox', { name: 'Name' }), name);
      await hand.press(button(page, 'Create token').last());
      const shown = page.getByRole('dialog').getByText(/^gths_[0-9A-Za-z]{39}$/);
      const token = (await shown.textContent()) ?? '';
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.press(button(page, "I've saved it"));
      expect(await page.getByText(token).count()).toBe(0);
      const ask = () => service.send('/scim/v2/ServiceProviderConfig', { bearer: token });
      expect((await ask()).status).toBe(200);
      await hand.press(button(page, `Revoke ${name}`));
      await hand.press(button(page, 'Revoke token'));
      await page.getByText(`${name} was revoked.`).waitFor();
      expect((await ask()).status).toBe(401);
    }
    await page.reload();
    await page.getByText('GET /scim/v2/ServiceProviderConfig').first().waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Actions for acme.example' }).click();
    await page.getByRole('button', { name: 'Remove acme.example' }).click();
    await button(page, 'Remove domain').click();
    await page.getByText('acme.example was removed.').waitFor();
    expect(complaints).toEqual([]);
  });
});
