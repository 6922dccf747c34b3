import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { printMeasurements, type RunningService, startService } from '@gatehouse/testkit';
import { openBrowser } from '@gatehouse/testkit/browser';
import axe from 'axe-core';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

type TestBrowser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>;

/** A page of a service, which records all its errors and outgoing requests. */
async function openDocs({ context }: TestBrowser, service: RunningService) {
  const page = await context.newPage();
  const asked: string[] = [];
  const problems: string[] = [];
  page.on('console', (message) => void problems.push(message.text()));
  page.on('pageerror', (error) => void problems.push(error.message));
  await page.route('**/*', async (route) => {
    asked.push(route.request().url());
    await (route.request().url().startsWith(`${service.url}/`) ? route.continue() : route.abort());
  });
  await page.exposeFunction('tellViolation', (text: string) => void problems.push(text));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    tellViolation('refused by the policy: ' + event.effectiveDirective + ' ' + event.blockedURI))`);
  await page.goto(`${service.url}/docs`);
  await page.getByLabel('Search').waitFor();
  return { page, asked, problems };
}

const operation = (page: Page, id: string) => page.locator(`[id="${id}"]`);

/** Finds an operation by search and sends its form's default request. */
async function findAndTry(page: Page, text: string, id: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  const found = operation(page, id);
  await found.getByRole('button', { name: 'Try it' }).click();
  await found.getByRole('button', { name: 'Send' }).click();
  await found.getByRole('group', { name: 'Answer' }).waitFor();
}

async function findingsOfAxe(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

describe.each([
  ['web', createMain, '/v1/member/list', { light: 320, dark: 1400 }],
  ['admin', createAdmin, '/v1/knowledge/analyze', { light: undefined, dark: 1400 }],
] as const)('the documents of the %s service', (application, createApp, path, widths) => {
  it('fit any screen, light and dark, and axe finds nothing in them', { timeout: 300_000 }, async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application });
    await using browser = await openBrowser();
    const { page, asked, problems } = await openDocs(browser, service);
    for (const colorScheme of ['light', 'dark'] as const) {
      const width = widths[colorScheme];
      if (width === undefined) continue;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.reload();
      await page.getByLabel('Search').fill(path);
      await page.getByText('1 found').waitFor();
      await page.keyboard.press('Enter');
      await findAndTry(page, '/v1/login/web', 'loginWeb');
      const isTooWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
      expect([width, isTooWide, await findingsOfAxe(page)]).toEqual([width, false, []]);
    }
    expect(asked.filter((url) => !url.startsWith(`${service.url}/`))).toEqual([]);
    expect(problems.filter((text) => !text.includes('status of 40'))).toEqual([]);
  });

  it('can be read without scripts', async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application });
    await using browser = await openBrowser();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context?.newPage();
    if (!page) throw new Error('The browser is gone');
    await page.goto(`${service.url}/docs`);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    const details = page.locator('details', { has: page.locator('summary code', { hasText: path }) }).first();
    await details.locator('summary').click();
    await details.getByText('internal', { exact: true }).waitFor();
    await details.getByText(/^curl /).waitFor();
    await page.getByRole('link', { name: 'openapi.json', exact: true }).click();
    expect(await page.textContent('body')).toContain('"openapi":"3.1.0"');
  });
});

describe('the reference of the main service', () => {
  it('is searched, signs in and calls by keyboard alone, and keeps the token in its memory only', async () => {
    await using service = await startService(createMain, { dialect: 'libsql', application: 'web' });
    await using browser = await openBrowser();
    const { page, asked, problems } = await openDocs(browser, service);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };

    await press('Control+k');
    await page.keyboard.type('/v1/login/web');
    await page.getByText('1 found').waitFor();
    await press('ArrowDown', 'Enter');
    const signIn = operation(page, 'loginWeb');
    await signIn.locator('summary:focus').waitFor();
    await press('Tab', 'Enter');
    await signIn.locator('form input:focus').waitFor();
    await press('Tab', 'Tab', 'Enter');
    const answer = signIn.getByRole('group', { name: 'Answer' });
    await answer.waitFor();
    const { token } = JSON.parse((await answer.textContent()) ?? '') as { token: string };
    expect(await page.locator('#token-session').inputValue()).toBe(token);

    await findAndTry(page, '/v1/session/me', 'sessionMe');
    expect(await operation(page, 'sessionMe').getByRole('group', { name: 'Answer' }).textContent()).toContain(
      'owner@acme.test',
    );

    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([
      0,
      0,
      '',
    ]);
    expect(await browser.context.cookies()).toEqual([]);
    expect(page.url()).not.toContain(token);
    await page.reload();
    expect(await page.locator('#token-session').inputValue()).toBe('');
    await findAndTry(page, '/v1/session/me', 'sessionMe');
    await page.getByText('Nobody is signed in here.').waitFor();
    expect(asked.filter((url) => !url.startsWith(`${service.url}/`))).toEqual([]);
    expect(problems.filter((text) => !text.includes('status of 40'))).toEqual([]);
  });

  it('sends to this service alone, and shows what comes back as text', async () => {
    await using service = await startService(createMain, { dialect: 'libsql', application: 'web' });
    await using browser = await openBrowser();
    const { page, asked, problems } = await openDocs(browser, service);
    await page.locator('#token-session').fill('line\nbreak <img src=x onerror=alert(1)>');
    for (const value of ['//evil.test/', 'https://evil.test', '../../evil', '\\\\evil.test', '<img src=x>']) {
      await page.goto(`${service.url}/docs`);
      await page.goto(`${service.url}/docs?tag=compatibility#memberDetailOtherLegacy`);
      const detail = operation(page, 'memberDetailOtherLegacy');
      await detail.getByRole('button', { name: 'Try it' }).click();
      await detail.getByRole('textbox', { name: 'userid' }).fill(value);
      await detail.getByRole('button', { name: 'Send' }).click();
      await detail.getByRole('group', { name: 'Answer' }).waitFor();
    }
    expect(await page.locator('img').count()).toBe(0);
    expect(asked.filter((url) => !url.startsWith(`${service.url}/`))).toEqual([]);
    expect(problems.filter((text) => !text.includes('status of 40'))).toEqual([]);
  });

  it('copies calls that work as they are', async () => {
    const port = 4000;
    await using service = await startService(createMain, { dialect: 'libsql', application: 'web' });
    await using browser = await openBrowser();
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { page } = await openDocs(browser, service);
    await page.goto(`${service.url}/docs#loginWeb`);
    await operation(page, 'loginWeb').getByRole('button', { name: 'Copy: curl' }).click();
    await page.getByText('Copied').first().waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    const command = copied.replaceAll(`http://127.0.0.1:${port}`, service.url);
    const { stdout } = await run('bash', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject({ status: true, userId: 3, accountId: 1 });
  });

  it('is small', async () => {
    await using service = await startService(createMain, { dialect: 'libsql', application: 'web' });
    await using browser = await openBrowser();
    const { asked } = await openDocs(browser, service);
    const texts = await Promise.all(asked.map(async (url) => (await fetch(url)).text()));
    const [page = '', ...scripts] = texts;
    const script = scripts.join('');
    const kB = (bytes: number) => Math.round(bytes / 102.4) / 10;
    printMeasurements('the reference in kB', {
      page: kB(page.length),
      pageGzipped: kB(gzipSync(page).length),
      script: kB(script.length),
      scriptGzipped: kB(gzipSync(script).length),
    });
    expect(scripts.length).toBeGreaterThan(5);
    expect(gzipSync(script).length).toBeLessThan(10_000);
    expect(gzipSync(page).length).toBeLessThan(60_000);
  });
});
