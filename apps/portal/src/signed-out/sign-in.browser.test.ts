import { findingsOfAxe } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { keyboard, mouse, useHand } from '../test/hands.js';
import { openPortal, PASSWORD } from '../test/open-portal.js';

const dialect = inject('dialect');

describe('signing in by password', () => {
  it('leads home, by keyboard alone, with the session in a cookie that no script can read', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    await page.goto(at(''));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await useHand(page, keyboard, dialect);
    await keyboard.write(page.getByLabel('Email'), 'owner@acme.test');
    await keyboard.write(page.getByLabel('Password'), PASSWORD);
    await keyboard.press(page.getByRole('button', { name: 'Sign in', exact: true }));
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(page.url()).toBe(at(''));
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(
      'eyJ',
    );
    expect(await findingsOfAxe(page)).toEqual([]);
    const menu = page.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) await keyboard.press(menu);
    await keyboard.press(page.getByRole('button', { name: 'Sign out' }));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const note = page.getByText("You're signed out.");
    await note.waitFor();
    const byPassword = page.getByRole('button', { name: 'Sign in', exact: true });
    await byPassword.getByText('Last used').waitFor();
    expect(await page.getByText('Last used').count()).toBe(1);
    await page.goto(at(''));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await note.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says who is signed in already, also after Back and on the page for new people, and continues', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    await page.goto(at('sign-in'));
    await page.getByLabel('Email').fill('owner@acme.test');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    const note = page.getByText("You're signed in as owner@acme.test.");
    await page.goBack();
    await note.waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.goto(at('register'));
    await note.waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('keeps what was typed after a wrong password, and continues to the requested page', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    await useHand(page, mouse, dialect);
    await page.goto(at('sign-in?next=/portal/%3Ftab%3D1'));
    await mouse.write(page.getByLabel('Email'), 'owner@acme.test');
    await mouse.write(page.getByLabel('Password'), 'wrong, but long');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('The email or the password is incorrect.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe('owner@acme.test');
    expect(await page.getByLabel('Password').inputValue()).toBe('wrong, but long');
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(page.url()).toBe(at('?tab=1'));
    expect(complaints).toEqual([]);
  });

  it('is one click in development with the demonstration data', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    await page.goto(at(''));
    await page.getByRole('button', { name: 'owner@acme.test' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is one click on the page of a development start, as each member of the demonstration', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    for (const name of ['Chiara Novak', 'Leila Haddad']) {
      await page.goto(`${service.url}/dev`);
      await page.getByRole('link', { name: `Sign in as ${name}` }).click();
      await page.getByRole('heading', { name: `Welcome, ${name.split(' ')[0]}` }).waitFor();
      expect(page.url()).not.toContain('as=');
    }
    expect(complaints).toEqual([]);
  });

  it('is nobody without a click, if a page of another site leads there', async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    const body = `<a href="${at('sign-in#as=member%40acme.test&key=guessed')}">Win a prize</a>`;
    await page.route('http://prize.example/', (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto('http://prize.example/');
    await page.getByRole('link').click();
    await page.getByRole('button', { name: 'owner@acme.test' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(await page.getByRole('heading', { name: /^Welcome, / }).textContent()).toContain('Olivia');
  });

  it('leads back to a product whose origin is listed, also after a registration', async () => {
    await using portal = await openPortal(dialect, { PORTAL_RETURN_ORIGINS: 'https://app.example.test' });
    const { page, at } = portal;
    await page.route('https://app.example.test/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>The product</h1>' }),
    );
    const next = 'https://app.example.test/boards/7?tab=1#top';
    const query = new URLSearchParams({ next }).toString();
    await page.goto(at(`sign-in?${query}`));
    await page.getByLabel('Email').fill('owner@acme.test');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'The product' }).waitFor();
    expect(page.url()).toBe(next);

    await page.context().clearCookies();
    await page.goto(at(`sign-in?${query}`));
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Email').fill('ada@lovelace.test');
    await page.getByLabel('Username').fill('Ada');
    await page.getByLabel('Password').fill('Analytical-Engine-1843');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'The product' }).waitFor();
    expect(page.url()).toBe(next);

    for (const bad of [
      'https://app.example.test@evil.test/',
      'https://app.example.test:81/',
      '//app.example.test/',
    ]) {
      await page.context().clearCookies();
      await page.goto(at(`sign-in?${new URLSearchParams({ next: bad }).toString()}`));
      await page.getByLabel('Email').fill('owner@acme.test');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
      expect([bad, page.url()]).toEqual([bad, at('')]);
    }
  });

  it('leads to no other site, whatever the address says', async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    for (const next of ['https://evil.test/portal/', '//evil.test/portal/', 'javascript:alert(1)', '/docs']) {
      await page.goto(at(`sign-in?${new URLSearchParams({ next }).toString()}`));
      await page.getByLabel('Email').fill('owner@acme.test');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
      expect([next, page.url()]).toEqual([next, at('')]);
    }
  });

  it('sends one request for any number of clicks, and keeps the form when no answer comes', async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    await page.goto(at('sign-in'));
    let sent = 0;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/trpc/signIn.password**', async (route) => {
      sent += 1;
      await held;
      // The page has given up by then.
      await route.abort('connectionreset').catch(() => undefined);
    });
    await page.getByLabel('Email').fill('owner@acme.test');
    await page.getByLabel('Password').fill(PASSWORD);
    const button = page.getByRole('button', { name: 'Sign in', exact: true });
    const place = await button.boundingBox();
    await button.click();
    await button.click({ force: true });
    await page.getByLabel('Password').press('Enter');
    expect(await button.getAttribute('aria-busy')).toBe('true');
    // A line runs only in the pressed button, and takes up no space in it.
    expect(await page.locator('button [aria-hidden=true] > span').count()).toBe(1);
    const mark = await button.locator('[aria-hidden=true] > span').evaluate((line) => ({
      moves: getComputedStyle(line).animationName,
      isSeen: line.getBoundingClientRect().height > 1,
    }));
    expect(mark).toEqual({ moves: 'run', isSeen: true });
    expect(await button.boundingBox()).toEqual(place);
    // After five seconds there is a way out.
    await page.getByText('Still waiting for a response').waitFor();
    expect(sent).toBe(1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.unroute('**/trpc/signIn.password**');
    release();
    expect(await page.getByLabel('Password').inputValue()).toBe(PASSWORD);
    await page.route('**/trpc/signIn.password**', (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/json',
        body: JSON.stringify([
          {
            error: {
              message: 'Too many',
              code: -32029,
              data: {
                code: 'TOO_MANY_REQUESTS',
                httpStatus: 429,
                reason: 'rate_limited',
                retryAfterSeconds: 125,
              },
            },
          },
        ]),
      }),
    );
    await button.click();
    await page.getByText('Try again in 2:0').waitFor();
    expect(await page.getByLabel('Password').inputValue()).toBe(PASSWORD);
    await page.unroute('**/trpc/signIn.password**');
    await button.click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
  });

  it('is German on request, and keeps what was typed when the language changes', async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    await page.goto(at('sign-in'));
    await page.getByLabel('Email').fill('owner@acme.test');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    expect(await page.getByLabel('E-Mail').inputValue()).toBe('owner@acme.test');
    await page.reload();
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
    // The document is sent in English, and the title follows its heading.
    await expect.poll(() => page.title()).toBe('Anmelden · Gatehouse');
  });
});
