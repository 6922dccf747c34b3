import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestFolder } from '@gatehouse/testkit';
import { flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { openPortal } from './test/open-portal.js';
import { signInAs } from './test/sign-in-as.js';

const dialect = inject('dialect');
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10" width="30" height="10"><path d="M0 0h30v10H0z"/></svg>';
const BRAND = {
  name: 'Müller & <i>Söhne</i>',
  logo: 'logo.svg',
  accents: { light: '#7a1f5c', dark: '#f0a6d8' },
  home: 'https://app.mueller.test/start',
  support: 'help@mueller.test',
  links: [{ href: 'https://acme.test/privacy', text: { en: 'Privacy', de: 'Datenschutz' } }],
  messages: {
    en: { 'signIn.title': 'Welcome to Müller’s', 'home.title': 'Hello {name}!' },
    de: { 'signIn.title': 'Willkommen bei Müller' },
  },
};
const colourOf = (selector: string) =>
  `getComputedStyle(document.querySelector('${selector}')).backgroundColor`;

describe('the portal under a brand', () => {
  it('shows its name, logo, colors, links and words without a new build', { timeout: 180_000 }, async () => {
    await using folder = await createTestFolder();
    const file = join(folder.path, 'brand.json');
    writeFileSync(file, JSON.stringify(BRAND));
    writeFileSync(join(folder.path, 'logo.svg'), LOGO);
    await using portal = await openPortal(dialect, { PORTAL_BRAND: file });
    const { page, complaints, at } = portal;
    await page.goto(at('sign-in'));
    await page.getByRole('heading', { name: 'Welcome to Müller’s' }).waitFor();
    await expect.poll(() => page.title()).toBe(`Welcome to Müller’s · ${BRAND.name}`);
    await page.getByText(BRAND.name, { exact: true }).waitFor();
    const icon = await page.request.get(at('apple-touch-icon.png'));
    expect([icon.status(), await icon.text()]).toEqual([200, LOGO]);
    expect(await page.locator('head > meta[name=theme-color]').count()).toBe(2);
    await expect.poll(() => page.evaluate("document.querySelector('img').naturalWidth")).toBe(30);
    expect(await page.evaluate(colourOf('button[type=submit]'))).toBe('rgb(122, 31, 92)');
    expect(await page.getByRole('link', { name: 'Privacy' }).getAttribute('href')).toBe(BRAND.links[0]?.href);
    const back = page.getByRole('link', { name: `Back to ${BRAND.name}` });
    expect(await back.getAttribute('href')).toBe(BRAND.home);
    expect(await flawsOfLook(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate(colourOf('button[type=submit]'))).toBe('rgb(240, 166, 216)');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Willkommen bei Müller' }).waitFor();
    await page.getByRole('link', { name: 'Datenschutz' }).waitFor();
    await page.getByRole('link', { name: `Zurück zu ${BRAND.name}` }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();

    for (const screen of ['help', 'recovery']) {
      await page.goto(at(screen));
      const support = page.getByRole('link', { name: 'Contact support' });
      expect(await support.getAttribute('href')).toBe('mailto:help@mueller.test');
    }

    await signInAs(portal, page, 'owner@acme.test');
    await page.getByRole('heading', { level: 1, name: /^Hello .+!$/ }).waitFor();
    await page.getByRole('banner').getByText(BRAND.name, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Privacy' }).waitFor();
    expect(await back.getAttribute('href')).toBe(BRAND.home);
    expect(await flawsOfLook(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
