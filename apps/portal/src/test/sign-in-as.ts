import { screenShown } from '@gatehouse/testkit/browser';
import { type OpenPortal, PASSWORD } from './open-portal.js';

/** Signs a member in by their password, and opens a screen. */
export async function signInAs(
  { at }: Pick<OpenPortal, 'at'>,
  page: OpenPortal['page'],
  email: string,
  screen = '',
): Promise<void> {
  const next = `/portal/${screen}`;
  await page.goto(at(`sign-in?${new URLSearchParams({ next }).toString()}`));
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('nav').first().waitFor({ state: 'attached' });
  await screenShown(page);
}
