import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brandFile } from '@gatehouse/runtime/config/brand/brand';
import { createTestFolder } from '@gatehouse/testkit';
import { flawsOfMail, openBrowser } from '@gatehouse/testkit/browser';
import { describe, expect, it } from 'vitest';
import { LOCALES } from '../core/member-view.js';
import { previewMails } from './preview-mails.js';

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

  it('has the name and the colors of a brand in place of ours', async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, 'brand.json');
    const accents = { light: '#7a1f5c', dark: '#f0a6d8' };
    writeFileSync(path, JSON.stringify({ name: 'Acme <& Sons>', accents }));
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    const mails = previewMails({ APP_URL, PORTAL_BRAND: brandFile.parse(path) }, 'en');
    expect(await flawsOfMail(page, mails.passwordReset.html)).toEqual([]);
    expect(mails.passwordReset.text).toContain('-- \nAcme <& Sons>\n');
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
  });
});
