import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { openBrowser, startService } from '@gatehouse/testkit';
import { expect, it } from 'vitest';

it.each([
  ['web', createMain, '/webauthenticate'],
  ['admin', createAdmin, '/analyzeKnowledge'],
] as const)(
  'the documents of the %s service are read with no other host to ask',
  async (application, createApp, path) => {
    await using service = await startService(createApp, { dialect: 'libsql', application });
    await using browser = await openBrowser();
    const page = await browser.context.newPage();
    const asked: string[] = [];
    const problems: string[] = [];
    page.on('console', (message) => void problems.push(message.text()));
    page.on('pageerror', (error) => void problems.push(error.message));
    await page.route('**/*', async (route) => {
      asked.push(route.request().url());
      await (route.request().url().startsWith(service.url) ? route.continue() : route.abort());
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${service.url}/docs`);
        const operation = page
          .locator('details', { has: page.locator('summary code', { hasText: path }) })
          .first();
        await operation.locator('summary').click();
        await operation.getByText('internal', { exact: true }).first().waitFor();
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
        const looks = await page.evaluate(
          'getComputedStyle(document.querySelector("summary .method")).fontWeight',
        );
        expect([width, isTooWide, looks]).toEqual([width, false, '700']);
      }
    }
    expect(asked.every((url) => url.startsWith(`${service.url}/`))).toBe(true);
    expect(problems).toEqual([]);
    expect(await page.locator('script').count()).toBe(0);
    await page.getByRole('link', { name: 'openapi.json' }).click();
    expect(await page.textContent('body')).toContain('"openapi":"3.1.0"');
  },
);
