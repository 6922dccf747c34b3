import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '@gatehouse/api-main/app';
import {
  createTestFolder,
  developmentEnvironment,
  readOutbox,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { findingsOfAxe, openBrowser } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

/** Our address is known only after listening, so the host of links is replaced. */
const start = (env: Readonly<Record<string, string>> = {}) =>
  startService(createApp, {
    dialect,
    application: 'web',
    env: { ...developmentEnvironment(), PORTAL: 'off', ...env },
  });

const ada = { username: 'ada', email: 'ada@lovelace.test', password: 'Analytical-Engine-1843' };
const newPassword = 'Copper-Meadow-17';

/** Runs in the page: checks that it is accessible and fits the screen. */
const FACTS = `({
  language: document.documentElement.lang,
  title: document.title,
  head: document.querySelector('header > svg + span')?.textContent,
  headings: document.querySelectorAll('h1').length,
  mains: document.querySelectorAll('main').length,
  unnamed: [...document.querySelectorAll('input:not([type=hidden])')].filter(({ labels }) => labels.length === 0).length,
  isTooWide: document.documentElement.scrollWidth > window.innerWidth,
  text: getComputedStyle(document.body).color,
  scripts: document.scripts.length,
})`;

describe('in a browser', () => {
  it('a stranger reads the mail, confirms, forgets the password, and sets a new one', async () => {
    await using service = await start();
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => void problems.push(message.text()));
    page.on('pageerror', (error) => void problems.push(error.message));
    const here = (link: string) => link.replace('http://127.0.0.1:4000', service.url);
    const follow = async (name: RegExp) => {
      await page.goto(
        `${service.url}/dev/outbox?${new URLSearchParams({ q: name.source.replaceAll('\\', '') }).toString()}`,
      );
      const link = await page.getByRole('link', { name }).first().getAttribute('href');
      await page.goto(here(link ?? ''));
    };
    const heading = () => page.getByRole('heading', { level: 1 }).textContent();

    const registered = await service.send('/register', { body: ada });
    const { token: session } = (await registered.json()) as { token: string };

    await follow(/\/confirm\?token=/);
    expect(await heading()).toBe('Confirm your email address');
    expect(await page.textContent('main')).toContain('ada@lovelace.test');
    await page.getByRole('button', { name: 'Confirm address' }).click();
    expect(await heading()).toBe('Your address is confirmed');
    await follow(/\/confirm\?token=/);
    expect(await page.textContent('main')).toContain('is already confirmed');

    await page.goto(`${service.url}/forgot`);
    await page.getByLabel('Email address').fill(ada.email);
    await page.getByRole('button', { name: 'Send reset link' }).click();
    expect(await heading()).toBe('Check your email');

    await follow(/\/reset\?token=/);
    expect(await heading()).toBe('Set a new password');
    await page.getByLabel('New password').fill('password1234');
    await page.getByRole('button', { name: 'Set new password' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('tried first');
    await page.getByLabel('New password').fill(newPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor();
    expect((await service.send('/auth/me', { token: session })).status).toBe(401);
    await signInByPassword(service, ada.email, newPassword);

    await follow(/\/reset\?token=/);
    expect(await page.getByRole('alert').textContent()).toContain('no longer valid');
    await page.getByRole('link', { name: 'Request a new link' }).click();
    expect(await heading()).toBe('Forgot your password?');
    // Refused passwords and used links are answered with 400 and 403, which a browser logs in its console.
    expect(problems.filter((text) => !/status of 40[03]/.test(text))).toEqual([]);
  });

  it('each page works by keyboard, names its fields, and fits a small screen in light and dark', async () => {
    await using service = await start();
    await using browser = await openBrowser();
    await service.send('/forgotPassword', { body: { email: 'owner@acme.test' } });
    const [mail] = await readOutbox(service);
    const page = await browser.context.newPage();
    await page.setViewportSize({ width: 320, height: 568 });
    for (const [colorScheme, language] of [
      ['light', 'en'],
      ['dark', 'en'],
      ['dark', 'de'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setExtraHTTPHeaders({ 'accept-language': language });
      for (const path of [
        ...(language === 'en' ? ['/dev', '/dev/outbox'] : []),
        '/forgot',
        '/register',
        '/signIn',
        '/billing',
        '/invitation?token=x',
        `/reset?token=${mail?.token}`,
        '/reset?token=x',
        '/confirm?token=x',
      ]) {
        await page.goto(`${service.url}${path}`);
        const facts: unknown = await page.evaluate(FACTS);
        expect([path, facts]).toEqual([
          path,
          {
            language,
            title: expect.stringMatching(/. · Gatehouse$/),
            head: 'Gatehouse',
            headings: 1,
            mains: 1,
            unnamed: 0,
            isTooWide: false,
            text: colorScheme === 'dark' ? 'oklch(0.94 0.008 95)' : 'oklch(0.26 0.03 235)',
            scripts: path === '/dev/outbox' || path === '/signIn' ? 1 : 0,
          },
        ]);
      }
    }
    await page.setExtraHTTPHeaders({ 'accept-language': 'en' });
    await page.goto(`${service.url}/signIn`);
    await page.getByLabel('Email address').fill('owner@acme.test');
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('8-digit code').waitFor();
    const [code] = /\b\d{8}\b/.exec((await readOutbox(service))[0]?.text ?? '') ?? [''];
    await page.getByLabel('8-digit code').fill(code);
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    await page.getByLabel('Your session token').waitFor();
    expect(await page.evaluate(FACTS)).toMatchObject({ isTooWide: false });
    await page.goto(`${service.url}/reset?token=${mail?.token}`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type(newPassword);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/reset$/);
    expect(await page.getByRole('heading').textContent()).toBe('Your password has been changed');
  });

  it('have the name and the colors of the product, or of its brand, and load nothing else', async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, 'brand.json');
    const accents = { light: '#7a1f5c', dark: '#f0a6d8' };
    writeFileSync(path, JSON.stringify({ name: 'Acme <& Sons>', accents }));
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    await page.setViewportSize({ width: 320, height: 568 });
    for (const [brand, name, marks, light, dark] of [
      ['', 'Gatehouse', 1, 'oklch(0.43 0.085 215)', 'oklch(0.8 0.09 205)'],
      [path, 'Acme <& Sons>', 0, 'rgb(122, 31, 92)', 'rgb(240, 166, 216)'],
    ] as const) {
      await using service = await start(brand === '' ? {} : { PORTAL_BRAND: brand });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const requests: string[] = [];
        const note = (request: { url(): string }) => void requests.push(request.url());
        page.on('request', note);
        await page.goto(`${service.url}/forgot`);
        page.off('request', note);
        expect(requests).toEqual([`${service.url}/forgot`]);
        const banner = page.getByRole('banner');
        expect([await banner.textContent(), await banner.locator('svg').count()]).toEqual([name, marks]);
        expect(await page.title()).toBe(`Forgot your password? · ${name}`);
        const color: unknown = await page.evaluate(
          "getComputedStyle(document.querySelector('button')).backgroundColor",
        );
        expect([colorScheme, color]).toEqual([colorScheme, { light, dark }[colorScheme]]);
        expect(await findingsOfAxe(page)).toEqual([]);
      }
    }
  });

  it('nothing that came by mail or form runs as script, and no page can be framed', async () => {
    await using service = await start();
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    let dialogs = 0;
    page.on('dialog', async (dialog) => {
      dialogs += 1;
      await dialog.dismiss();
    });
    const nasty = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
    await service.send('/register', { body: { ...ada, username: nasty, firstName: nasty } });
    const [mail] = await readOutbox(service);
    await page.goto(`${service.url}/confirm?token=${mail?.token}`);
    expect(await page.textContent('main')).toContain(nasty);
    for (const path of [
      `/confirm?token=${nasty}`,
      `/reset?token=${nasty}`,
      `/forgot?email=${nasty}`,
      '/dev',
      '/dev/outbox',
    ]) {
      await page.goto(`${service.url}${path}`);
    }
    expect(dialogs).toBe(0);
    await page.goto('about:blank');
    await page.setContent(`<iframe src="${service.url}/forgot"></iframe>`);
    await page.waitForTimeout(300);
    expect(await page.frames()[1]?.content()).not.toContain('Forgot your password');
  });

  it('mails of the outbox are found by words, shown as HTML and text, and appear while it is open', async () => {
    await using service = await start();
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => void problems.push(message.text()));
    await page.goto(`${service.url}/dev/outbox`);
    await page.getByText('No emails yet.').waitFor();
    await service.send('/forgotPassword', { body: { email: 'owner@acme.test' } });
    const mails = page.getByRole('navigation', { name: 'Emails' }).getByRole('link');
    await mails.filter({ hasText: 'owner@acme.test' }).waitFor();
    await service.send('/register', { body: ada });
    await mails.filter({ hasText: ada.email }).waitFor();
    expect(await mails.count()).toBe(2);
    await page.getByRole('region').getByText('To owner@acme.test').waitFor();

    await page.getByLabel('Search').fill('ADA confirm');
    await page.getByLabel('Search').press('Enter');
    await page.waitForURL(/q=ADA/);
    expect(await mails.count()).toBe(1);
    const mail = page.frameLocator('iframe');
    await mail.getByRole('link').first().waitFor();
    expect(await mail.locator('base').getAttribute('target')).toBe('_blank');
    expect(await page.locator('pre').textContent()).toContain('/confirm?token=');
    await page.getByLabel('Search').fill('nothing of the kind');
    await page.getByLabel('Search').press('Enter');
    await page.getByText('No matching emails.').waitFor();
    await page.goto(`${service.url}/dev/outbox`);
    await mails.filter({ hasText: 'owner@acme.test' }).click();
    await page.getByRole('region').getByText('To owner@acme.test').waitFor();
    await page.getByRole('link', { name: 'Back to the development page' }).click();
    await page.getByRole('heading', { name: 'Development' }).waitFor();
    expect(problems).toEqual([]);
  });
});
