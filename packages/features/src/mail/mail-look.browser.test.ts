import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brandFile } from '@gatehouse/runtime/config/brand/brand';
import { createTestFolder } from '@gatehouse/testkit';
import { flawsOfMail, openBrowser } from '@gatehouse/testkit/browser';
import { describe, expect, it } from 'vitest';
import { LOCALES } from '../core/member-view.js';
import { mailBrand } from './mail-brand.js';
import { MAIL_KINDS } from './mail-kinds.js';
import { previewMails } from './preview-mails.js';
import { renderMail } from './render-mail.js';

/** Links of mails are as long as these: one word of 500 letters. */
const APP_URL = `https://app.example.com/${'a'.repeat(500)}`;

const LETTERS = /[^\p{L}\p{N}]+/gu;

describe('a mail of every kind', () => {
  it.each(LOCALES)(
    'in %s has valid markup and fits a phone and a desktop, light and dark',
    async (locale) => {
      await using browser = await openBrowser();
      const page = await browser.context.newPage();
      const flaws: string[] = [];
      for (const [kind, { html }] of Object.entries(previewMails({ APP_URL }, locale)))
        flaws.push(...(await flawsOfMail(page, html)).map((flaw) => `${kind}: ${flaw}`));
      expect(flaws).toEqual([]);
    },
  );

  it.each(LOCALES)('in %s says in HTML what it says in text', async (locale) => {
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    for (const { html, text } of Object.values(previewMails({ APP_URL }, locale))) {
      await page.setContent(html);
      const shown = ((await page.locator('body').textContent()) ?? '').replaceAll(LETTERS, '');
      for (const line of text.split('\n')) expect(shown).toContain(line.replaceAll(LETTERS, ''));
    }
  });

  it.each(LOCALES)('in %s leads by one button to where its text leads', async (locale) => {
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    const withButton: string[] = [];
    for (const [kind, { html, text }] of Object.entries(
      previewMails({ APP_URL: 'https://app.test' }, locale),
    )) {
      await page.setContent(html);
      const [link] = /https:\/\/app\.test\S*/.exec(text) ?? [];
      const buttons = await page.locator('a.button').all();
      expect([kind, buttons.length]).toEqual([kind, link === undefined ? 0 : 1]);
      for (const button of buttons) {
        withButton.push(kind);
        expect([kind, await button.getAttribute('href')]).toEqual([kind, link]);
      }
    }
    for (const kind of ['passwordChanged', 'signInNotice', 'newConnection', 'factorChanged'])
      expect(withButton).toContain(kind);
  });

  it.each(LOCALES)('in %s breaks a link on a phone only if a line has no room for it', async (locale) => {
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.setViewportSize({ width: 320, height: 640 });
    const data = { link: 'https://app.test/reset', hours: 72, console: 'https://app.test/console/' };
    const mail = renderMail(MAIL_KINDS.staffInvitation, data, { locale, brand: mailBrand() });
    await page.setContent(mail.html);
    const link = page.getByRole('link', { name: 'https://app.test/console/' });
    expect((await link.boundingBox())?.height).toBeLessThan(25);
  });

  it('has the name and the colors of a brand in place of ours', async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, 'brand.json');
    const accents = { light: '#7a1f5c', dark: '#f0a6d8' };
    writeFileSync(path, JSON.stringify({ name: 'Acme <& Sons>', accents, support: 'help@acme.test' }));
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    const mails = previewMails({ APP_URL, PORTAL_BRAND: brandFile.parse(path) }, 'en');
    expect(await flawsOfMail(page, mails.passwordReset.html)).toEqual([]);
    expect(mails.passwordReset.text).toContain('-- \nAcme <& Sons>\nSupport: help@acme.test\n');
    for (const [colorScheme, colour] of [
      ['light', 'rgb(122, 31, 92)'],
      ['dark', 'rgb(240, 166, 216)'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      const shown: unknown = await page.evaluate(
        "getComputedStyle(document.querySelector('a')).backgroundColor",
      );
      expect(shown).toBe(colour);
    }
    expect(await page.getByText('Acme <& Sons>').count()).toBe(1);
    expect(await page.getByText('Gatehouse').count()).toBe(0);
    const support = page.getByRole('link', { name: 'help@acme.test' });
    expect(await support.getAttribute('href')).toBe('mailto:help@acme.test');
  });
});
