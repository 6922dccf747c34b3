// @module-tag slow

import { execFile } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-main/app';
import { createTestFolder, developmentEnvironment, startService } from '@gatehouse/testkit';
import { collectComplaints, findingsOfAxe, openBrowser } from '@gatehouse/testkit/browser';
import { expect, it } from 'vitest';

const vitepress = fileURLToPath(new URL('../node_modules/vitepress/bin/vitepress.js', import.meta.url));
const SITE = fileURLToPath(new URL('..', import.meta.url));

it('the built documents can be searched and read, on a phone and in dark mode, without another host or an error', async () => {
  await using folder = await createTestFolder();
  // The build fails at a link without a target.
  await promisify(execFile)(process.execPath, [vitepress, 'build', SITE, '--outDir', folder.path]);
  await using service = await startService(
    (services) => createApp(services, undefined, pathToFileURL(`${folder.path}/`)),
    { dialect: 'libsql', application: 'web', env: developmentEnvironment() },
  );
  await using browser = await openBrowser();
  const page = await browser.context.newPage();
  const complaints: string[] = [];
  await collectComplaints(page, complaints, () => false);
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  const isTooWide = () => page.evaluate('document.documentElement.scrollWidth > window.innerWidth');

  await page.emulateMedia({ colorScheme: 'light' });
  const opened = await page.goto(`${service.url}/dev/docs`);
  const policy = opened?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(page.url()).toBe(`${service.url}/dev/docs/`);
  await page.getByRole('heading', { name: 'Partner' }).waitFor();
  expect(await page.getByRole('link', { name: /^Version \d/ }).count()).toBeGreaterThan(0);
  expect(await findingsOfAxe(page)).toEqual([]);

  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.getByRole('searchbox').fill('backchannel');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('main h1').waitFor();
  expect(await page.textContent('main')).toMatch(/back-?channel/i);

  for (const path of ['', 'sessions', 'endpoints', 'adr/0001-route-trpc-past-express']) {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${service.url}/dev/docs/${path}`);
    await page.locator('html.dark h1').waitFor();
    expect([path, await isTooWide()]).toEqual([path, false]);
    if (path === 'sessions') expect(await findingsOfAxe(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${service.url}/dev/docs/sessions`);
  await page.getByRole('switch').first().click();
  await page.locator('html:not(.dark)').waitFor({ state: 'attached' });
  expect(await findingsOfAxe(page)).toEqual([]);

  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(`${service.url}/dev/docs`))).toEqual([]);
}, 300_000);
