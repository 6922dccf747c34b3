import { mkdirSync, writeFileSync } from 'node:fs';
import { billingEnvironment } from '@gatehouse/simulator';
import { closeSharedBrowser, settle } from '@gatehouse/testkit/browser';
import { type OpenPortal, openPortal, PASSWORD } from './open-portal.js';
import { addMemberWithApp } from './people.js';
import { signInAs } from './sign-in-as.js';

/** Takes the pictures of the portal that the documents show, from its build: `pnpm docs:pictures`. */

const FOLDER = new URL('../../../../docs/pictures/', import.meta.url);
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
const QUALITY = 80;

type Page = OpenPortal['page'];

async function take(page: Page, name: string): Promise<void> {
  await page.locator('h1').waitFor();
  await settle(page);
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await devtools.detach();
  writeFileSync(new URL(`${name}.webp`, FOLDER), Buffer.from(data, 'base64'));
}

mkdirSync(FOLDER, { recursive: true });
const environment = { ...billingEnvironment('http://127.0.0.1:9'), NODE_ENV: 'test' };
const portal = await openPortal('libsql', environment);
try {
  const { page, at, newPage } = portal;
  await page.setViewportSize(DESK);
  await page.goto(at('sign-in'));
  await take(page, 'sign-in');
  await page.setViewportSize(PHONE);
  await take(page, 'sign-in-phone');

  const { email } = await addMemberWithApp(portal);
  const step = await newPage({ isOtherPerson: true });
  await step.setViewportSize(DESK);
  await step.goto(at('sign-in'));
  await step.getByLabel('E-mail').fill(email);
  await step.getByLabel('Password').fill(PASSWORD);
  await step.getByRole('button', { name: 'Sign in', exact: true }).click();
  await step.getByRole('heading', { name: 'One more step' }).waitFor();
  await take(step, 'step-up');

  await page.setViewportSize(DESK);
  await signInAs(portal, page, 'owner@acme.test');
  for (const [name, screen] of Object.entries({
    home: '',
    team: 'a/1/team',
    security: 'you/security',
    billing: 'a/1/billing',
  })) {
    await page.goto(at(screen));
    await take(page, name);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(at('a/1/team'));
  await take(page, 'team-dark');
} finally {
  await portal[Symbol.asyncDispose]();
  await closeSharedBrowser();
}
