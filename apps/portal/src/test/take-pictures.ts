import { billingEnvironment } from '@gatehouse/simulator';
import { closeSharedBrowser, DESK, PHONE, takePicture } from '@gatehouse/testkit/browser';
import { openPortal, PASSWORD } from './open-portal.js';
import { addMemberWithApp } from './people.js';
import { signInAs } from './sign-in-as.js';

/** Takes the pictures of the portal that the documents show, from its build: `pnpm docs:pictures`. */

const environment = { ...billingEnvironment('http://127.0.0.1:9'), NODE_ENV: 'test' };
const portal = await openPortal('libsql', environment);
try {
  const { page, at, newPage } = portal;
  await page.setViewportSize(DESK);
  await page.goto(at('sign-in'));
  await takePicture(page, 'sign-in');
  await page.setViewportSize(PHONE);
  await takePicture(page, 'sign-in-phone');

  const { email } = await addMemberWithApp(portal);
  const step = await newPage({ isOtherPerson: true });
  await step.setViewportSize(DESK);
  await step.goto(at('sign-in'));
  await step.getByLabel('Email').fill(email);
  await step.getByLabel('Password').fill(PASSWORD);
  await step.getByRole('button', { name: 'Sign in', exact: true }).click();
  await step.getByRole('heading', { name: 'One more step' }).waitFor();
  await takePicture(step, 'step-up');

  await page.setViewportSize(DESK);
  await signInAs(portal, page, 'owner@acme.test');
  for (const [name, screen] of Object.entries({
    home: '',
    team: 'a/1/team',
    security: 'you/security',
    billing: 'a/1/billing',
  })) {
    await page.goto(at(screen));
    await takePicture(page, name);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(at('a/1/team'));
  await takePicture(page, 'team-dark');
} finally {
  await portal[Symbol.asyncDispose]();
  await closeSharedBrowser();
}
