import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { type RunningService, startService } from '@gatehouse/testkit';
import { openBrowser } from '@gatehouse/testkit/browser';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

type TestBrowser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>;

/** A page of a service, which records its errors and its requests to other hosts. */
async function openDocs({ context }: TestBrowser, service: RunningService, colorScheme: 'light' | 'dark') {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => void faults.push(message.text()));
  page.on('pageerror', (error) => void faults.push(error.message));
  await page.route('**/*', async (route) => {
    const url = route.request().url();
    if (url.startsWith(`${service.url}/`)) return route.continue();
    faults.push(url);
    return route.abort();
  });
  await page.exposeFunction('tellViolation', (text: string) => void faults.push(text));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    tellViolation('refused by the policy: ' + event.effectiveDirective + ' ' + event.blockedURI))`);
  await page.emulateMedia({ colorScheme });
  return { page, faults: () => faults.filter((text) => !text.includes('status of 40')) };
}

/** Opens the operation that the URL names. */
async function openOperation(page: Page, url: string, id: string) {
  await page.goto('about:blank');
  await page.goto(url);
  const operation = page.locator(`[id$="-${id}"]`);
  await operation
    .locator('.opblock-body')
    .waitFor()
    .catch(async (cause: unknown) => {
      const shown = ((await page.locator('body').textContent()) ?? '').slice(0, 500);
      throw new Error(`${id} is not shown, but: ${shown}`, { cause });
    });
  return operation;
}

/** Sends the filled-in request, and resolves to the text of the answer. */
async function send(operation: Awaited<ReturnType<typeof openOperation>>) {
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  await answer.waitFor();
  return (await answer.locator('tbody').textContent()) ?? '';
}

describe.each([
  ['main', createMain, 'web', 'light', 'rgba(0, 0, 0, 0)'],
  ['admin', createAdmin, 'admin', 'dark', 'rgb(28, 32, 34)'],
] as const)('the reference of the %s service', (_name, createApp, application, colorScheme, background) => {
  it('shows and calls operations on a phone and a desktop, and calls no other host', {
    timeout: 120_000,
  }, async () => {
    await using service = await startService(createApp, { dialect: 'libsql', application });
    await using browser = await openBrowser();
    const { page, faults } = await openDocs(browser, service, colorScheme);
    for (const width of [390, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      const operation = await openOperation(page, `${service.url}/docs#/machines/healthzGet`, 'healthzGet');
      await operation.getByRole('heading', { name: 'curl' }).waitFor();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      expect(await send(operation)).toContain('200');
      const look = `[document.documentElement.scrollWidth, getComputedStyle(document.documentElement).backgroundColor]`;
      expect(await page.evaluate(look)).toEqual([width, background]);
    }
    expect(faults()).toEqual([]);
  });
});

describe('the reference of the main service', () => {
  it('sends tokens only from its memory, and no cookie', { timeout: 120_000 }, async () => {
    await using service = await startService(createMain, { dialect: 'libsql', application: 'web' });
    await using browser = await openBrowser();
    await browser.context.addCookies([{ name: 'gatehouse-dev', value: 'left', url: service.url }]);
    const { page, faults } = await openDocs(browser, service, 'light');
    const cookies: (string | undefined)[] = [];
    const docs = `${service.url}/docs?tag=compatibility#/compatibility`;
    const signIn = await openOperation(page, `${docs}/loginWebLegacy`, 'compatibility-loginWebLegacy');
    page.on('requestfinished', (request) => {
      if (request.method() !== 'POST') return;
      void request.allHeaders().then((headers) => cookies.push(headers['cookie']));
    });
    await signIn.getByRole('button', { name: 'Try it out' }).click();
    const token = /"token": "([^"]+)"/.exec(await send(signIn))?.[1] ?? '';
    expect(token.length).toBeGreaterThan(100);
    await expect.poll(() => cookies).toEqual([undefined]);

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    expect(await page.locator('.dialog-ux').textContent()).not.toMatch(/cookie/i);
    const value = page.getByLabel('Value:').first();
    expect(await value.getAttribute('autocomplete')).toBe('off');
    await value.fill(token);
    await page.getByRole('button', { name: 'Apply credentials' }).first().click();
    await page.getByRole('button', { name: 'Close' }).first().click();
    const me = page.locator('[id$="-sessionMeLegacy"]');
    await me.locator('.opblock-summary-control').click();
    await me.getByRole('button', { name: 'Try it out' }).click();
    expect(await send(me)).toContain('owner@acme.test');

    expect(await page.evaluate('[localStorage.length, sessionStorage.length]')).toEqual([0, 0]);
    expect(page.url()).not.toContain(token);
    const again = await openOperation(page, `${docs}/sessionMeLegacy`, 'sessionMeLegacy');
    await again.getByRole('button', { name: 'Try it out' }).click();
    expect(await send(again)).toContain('401');
    expect(faults()).toEqual([]);
  });

  it('calls only this service whatever is typed, and shows markup as text', {
    timeout: 120_000,
  }, async () => {
    await using service = await startService(createMain, { dialect: 'libsql', application: 'web' });
    await using browser = await openBrowser();
    const { page, faults } = await openDocs(browser, service, 'light');
    const url = `${service.url}/docs?tag=pages#/pages/socialFacebookDataDeletionCodeGet`;
    const status = await openOperation(page, url, 'socialFacebookDataDeletionCodeGet');
    await status.getByRole('button', { name: 'Try it out' }).click();
    for (const value of ['//evil.test/', 'https://evil.test', '../../evil', '\\\\evil.test', '<img src=x>']) {
      await status.getByPlaceholder('code').fill(value);
      await send(status);
    }
    expect(await page.locator('img').count()).toBe(0);
    expect(faults()).toEqual([]);
  });

  it('shows examples that work as they are', { timeout: 120_000 }, async () => {
    await using service = await startService(createMain, { dialect: 'libsql', application: 'web' });
    await using browser = await openBrowser();
    const { page } = await openDocs(browser, service, 'light');
    const signIn = await openOperation(page, `${service.url}/docs?tag=public#/public/loginWeb`, 'loginWeb');
    const shown =
      (await signIn.locator('section', { hasText: 'curl -X' }).locator('code').textContent()) ?? '';
    const { stdout } = await run('bash', [
      '--norc',
      '-c',
      shown.replaceAll('http://127.0.0.1:4000', service.url),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ status: true, userId: 3, accountId: 1 });
    await signIn.getByText('gatehouse.signIn({').waitFor();
  });
});
