import { expect, inject, it } from 'vitest';
import { openPortal, PASSWORD } from './test/open-portal.js';
import { spawnVite } from './test/spawn-vite.js';

const dialect = inject('dialect');

it('the portal is served from its sources during development, and signs in at the running service', async () => {
  await using portal = await openPortal(dialect);
  await using vite = await spawnVite(new URL(portal.at('')).origin);
  const { page, complaints } = portal;
  await page.goto(`${vite.url}/portal/sign-in`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: 60_000 });
  await page.getByLabel('Email').fill('owner@acme.test');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: /^Welcome, / }).waitFor({ timeout: 60_000 });
  await page.goto(`${vite.url}/portal/a/1/team`);
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  expect(new URL(page.url()).origin).toBe(vite.url);
  expect(complaints.filter((each) => !/^(\[vite\]|%cDownload the React)/.test(each))).toEqual([]);
});
