import { readFile } from 'node:fs/promises';
import { startDnsServer } from '@gatehouse/features/test/dns-server';
import {
  SIMPLESAMLPHP_ADMIN_PASSWORD,
  SIMPLESAMLPHP_PASSWORD,
  startSimpleSamlPhp,
} from '@gatehouse/features/test/simplesamlphp';
import { printMeasurements } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { type CountedPerson, countActions } from '../../../test/count-actions.js';
import { type OpenPortal, openPortal } from '../../../test/open-portal.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');

type Page = OpenPortal['page'];

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

const DOMAIN = 'acme.example';

const ADA = `ada@${DOMAIN}`;

const PEOPLE = { ada: { mail: [ADA], givenName: ['Ada'], sn: ['Lovelace'] } };

/** Each step of the guide is as long as some pages of a screen. */
const GUIDE_PAGES = 4;

const MAX_SAML_SECONDS = 600;
const MAX_SCIM_SECONDS = 300;

/** Signs in at SimpleSAMLphp's own page. */
async function signInThere(owner: CountedPerson, page: Page): Promise<void> {
  await owner.write(page.locator('input[name=username]'), 'ada');
  await owner.write(page.locator('input[name=password]'), SIMPLESAMLPHP_PASSWORD);
  await owner.press(page.locator('button[type=submit], input[type=submit]').first());
}

describe('a new owner with SimpleSAMLphp and a directory', () => {
  it('connects both through the portal alone, in ten and five minutes', { timeout: 120_000 }, async () => {
    await using idp = await startSimpleSamlPhp(PEOPLE);
    await using dns = await startDnsServer();
    await using portal = await openPortal(dialect, { DNS_SERVERS: dns.address });
    const { page, at, complaints, browser, newPage } = portal;
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const atProvider = await browser.context.newPage();
    await signInAs(portal, page, 'owner@acme.test', 'a/1/settings');
    const owner = countActions();
    owner.read(GUIDE_PAGES);

    // 1. Domains.
    await owner.press(link(page, 'Set up'));
    owner.read();
    await owner.press(button(page, 'Add domain').first());
    await owner.write(page.getByRole('textbox', { name: 'Domain' }), DOMAIN);
    await owner.press(button(page, 'Add domain').last());
    await page.getByRole('dialog', { name: `DNS record for ${DOMAIN}` }).waitFor();
    owner.read();
    const record = await owner.copy(button(page, 'Copy name'));
    const value = await owner.copy(button(page, 'Copy value'));
    dns.set(record, [[value]]);
    owner.read();
    owner.elsewhere({ clicks: 3, pasted: 2 });
    await owner.press(button(page, 'Check'));
    await page.getByText(`${DOMAIN} is verified.`).waitFor();

    // 2. Connect identity provider.
    await owner.press(link(page, 'Connect identity provider'));
    await owner.choose(field(page, 'Identity provider'), 'Other provider');
    await owner.choose(field(page, 'Protocol'), 'SAML 2.0');
    await page.getByText('If your provider takes a metadata file instead').waitFor();
    owner.read();
    await owner.write(field(page, 'Name'), 'Acme');
    owner.read();
    owner.elsewhere({ clicks: 2, pasted: 0 });
    await owner.paste(field(page, 'Metadata address'), idp.metadataUrl);
    await owner.press(button(page, 'Save and continue'));
    await page.getByText('Acme is saved. Choose below who can sign in, then test it.').waitFor();
    owner.read();

    const download = page.waitForEvent('download');
    await owner.press(link(page, 'Download metadata'));
    const file = await download;
    expect(file.suggestedFilename()).toBe('metadata.xml');
    await atProvider.goto(idp.converterUrl);
    owner.read();
    await owner.write(atProvider.locator('input[type=password]'), SIMPLESAMLPHP_ADMIN_PASSWORD);
    await owner.press(atProvider.locator('button[type=submit], input[type=submit]').first());
    await atProvider.waitForURL(/metadata-converter/);
    // The button, and the file in the window that it opens.
    owner.elsewhere({ clicks: 2, pasted: 0 });
    await atProvider.locator('input[name=xmlfile]').setInputFiles({
      name: file.suggestedFilename(),
      mimeType: 'application/samlmetadata+xml',
      buffer: await readFile(await file.path()),
    });
    await owner.press(atProvider.locator('button:has-text("Parse"), input[type=submit]').first());
    const converted = await atProvider.locator('pre, textarea:not([name=xmldata])').first().textContent();
    owner.read();
    await idp.addServices(converted ?? '');
    owner.elsewhere({ clicks: 2, pasted: 1 });

    await owner.press(page.getByLabel(/^Add people when/));
    await owner.press(button(page, 'Save Who can sign in'));
    await page.getByText('once you have tested and activated them').waitFor();

    // 3. Test connection, and 4. activate.
    await owner.press(button(page, 'Test connection'));
    await page.waitForURL(`${new URL(idp.metadataUrl).origin}/**`);
    owner.read();
    await signInThere(owner, page);
    await page.getByText('The connection to your identity provider works.').waitFor();
    await page.getByText('This address is new here: a member would be added.').waitFor();
    owner.read();
    await owner.press(button(page, 'Activate'));
    owner.read();
    await owner.press(button(page, 'Activate').last());
    await page.getByText('Acme is active.').waitFor();

    // A person of the company.
    const person = await newPage({ isOtherPerson: true });
    await person.goto(at('sign-in'));
    owner.read();
    await owner.write(field(person, 'Email'), ADA);
    await person.keyboard.press('Tab');
    await owner.press(button(person, 'Continue with Acme'));
    await person.waitForURL(`${new URL(idp.metadataUrl).origin}/**`);
    owner.read();
    await signInThere(owner, person);
    await person.waitForURL('**/portal/**');
    await person.getByText(ADA).first().waitFor({ state: 'attached' });
    const saml = owner.figures();
    printMeasurements('a SAML connection with SimpleSAMLphp is made by the portal alone', saml);

    // A directory.
    await owner.press(link(page, 'Company sign-in and directory'));
    owner.read();
    await owner.press(button(page, 'Create token'));
    await owner.write(page.getByRole('textbox', { name: 'Name' }), 'Directory');
    await owner.press(button(page, 'Create token').last());
    await page.getByRole('dialog', { name: 'Token for Directory' }).waitFor();
    owner.read();
    const token = await owner.copy(button(page, 'Copy'));
    await owner.press(button(page, "I've saved it"));
    const address = await owner.copy(button(page, 'Copy address'));
    owner.read();
    owner.elsewhere({ clicks: 3, pasted: 2 });
    const answer = await fetch(`${address}/Users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: `grace@${DOMAIN}`,
        name: { givenName: 'Grace', familyName: 'Hopper' },
        active: true,
      }),
    });
    expect(answer.status).toBe(201);
    await page.reload();
    owner.elsewhere({ clicks: 1, pasted: 0 });
    await page.getByText('POST /scim/v2/Users').waitFor();
    owner.read();
    await owner.press(link(page, 'Team'));
    await page.getByText('Grace Hopper').first().waitFor();
    owner.read();
    const scim = owner.figures();
    printMeasurements('a directory is connected by the portal alone', scim);

    expect(saml.personSeconds).toBeLessThan(MAX_SAML_SECONDS);
    expect(scim.personSeconds).toBeLessThan(MAX_SCIM_SECONDS);
    expect(complaints).toEqual([]);
  });
});
