import { signIn } from '@gatehouse/testkit';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { openPortal, PASSWORD } from '../../test/open-portal.js';
import { addMemberWithApp } from '../../test/people.js';
import { signInAs } from '../../test/sign-in-as.js';

const dialect = inject('dialect');

describe('the frame around the screens', () => {
  it('opens from a bar on a phone, and closes after a navigation', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await page.setViewportSize({ width: 320, height: 700 });
    await signInAs(portal, page, 'owner@acme.test');
    const menu = page.getByRole('button', { name: 'Menu' });
    const top = async () => (await page.locator('h1').boundingBox())?.y;
    const before = await top();
    await menu.click();
    await page.getByRole('button', { name: 'Close menu' }).waitFor();
    await page.getByRole('link', { name: 'Your organizations' }).waitFor();
    // It covers the page and moves nothing.
    expect(await top()).toBe(before);
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByRole('link', { name: 'Team' }).click();
    await expect.poll(() => page.title()).toBe('Team · Acme Studio · Gatehouse');
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
    expect(complaints).toEqual([]);
  });

  it('shows a progress line while the next screen loads slowly, and keeps the current one marked until then', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    await page.getByText('manager@acme.test').waitFor();
    const line = page.getByRole('progressbar', { name: 'Loading' });
    expect(await line.count()).toBe(0);
    let arrive = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/assets/*.js', async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Settings' }).click();
    await line.waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Team');
    const marked = page.getByRole('navigation').locator('[aria-current=page]');
    expect(await marked.allTextContents()).toEqual(['Team']);
    expect(await findingsOfAxe(page)).toEqual([]);
    arrive();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await expect.poll(() => marked.allTextContents()).toEqual(['Settings']);
    expect(await line.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('prints the screen without the sidebar and buttons', async () => {
    await using portal = await openPortal(dialect);
    const { page } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    await page.getByRole('button', { name: 'Invite people' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByText('manager@acme.test').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  it("stops when the cookie silently changes to another member's", async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    await expect.poll(() => page.title()).toBe('Team · Acme Studio · Gatehouse');
    await page.evaluate(`(async () => {
      const body = JSON.stringify({ email: 'member@acme.test', password: '${PASSWORD}' });
      const headers = { 'content-type': 'application/json', 'x-gatehouse-client': 'cookie' };
      await fetch('/v1/signIn/password', { method: 'POST', headers, body });
      dispatchEvent(new Event('visibilitychange'));
    })()`);
    await page.waitForURL(at(''));
    await page.getByText('member@acme.test').waitFor();
    expect(await page.getByText('owner@acme.test').count()).toBe(0);
  });

  it('clears the other tabs after a sign-out in one, and asks there for a sign-in', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at, newPage } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    await page.getByText('manager@acme.test').waitFor();
    const other = await newPage();
    await other.goto(at(''));
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('manager@acme.test').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says over the page that the service ended the session, and continues after a sign-in in another tab', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at, newPage } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    const other = await newPage();
    await other.goto(at(''));
    await other.getByRole('button', { name: 'Sign out' }).waitFor();
    await other.evaluate(`(async () => {
      const headers = { 'content-type': 'application/json', 'x-gatehouse-client': 'cookie' };
      await fetch('/v1/session/end', { method: 'POST', headers, body: '{}' });
    })()`);
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    const over = page.getByRole('dialog', { name: 'Your session expired' });
    await over.waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await other.goto(at('sign-in'));
    await other.getByLabel('Email').fill('owner@acme.test');
    await other.getByLabel('Password').fill(PASSWORD);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await over.waitFor({ state: 'detached' });
    await expect.poll(() => page.title()).toBe('Team · Acme Studio · Gatehouse');
    expect(complaints.filter((each) => !each.includes('401'))).toEqual([]);
  });

  it('lets people sign in by password over the page after the session has ended, and keeps what was typed', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at, service } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    await page.getByRole('button', { name: 'Invite people' }).click();
    await page.getByLabel('Email address').fill('nina@new.test');
    const { token } = await signIn(service, 'owner@acme.test');
    await service.send('/auth/sessions/end', { token, body: { others: true } });
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    const over = page.getByRole('dialog', { name: 'Your session expired' });
    const password = over.getByLabel('Password');
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('name')")).toBe('password');
    await password.fill('not the password');
    await page.keyboard.press('Enter');
    await over.getByRole('alert').waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    const other = over.getByRole('link', { name: 'Sign in another way' });
    expect(new URL((await other.getAttribute('href')) ?? '', page.url()).href).toBe(at('sign-in'));
    await password.fill(PASSWORD);
    await page.keyboard.press('Enter');
    await over.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Email address').inputValue()).toBe('nina@new.test');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('Invitation sent to nina@new.test.').waitFor();
    expect(complaints.filter((each) => !each.includes('401'))).toEqual([]);
  });

  it('leads to another tab for a second step after the session has ended, and asks for the password the next time', async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    const member = await addMemberWithApp(portal);
    await page.goto(at('sign-in?next=/portal/you/sessions'));
    await page.getByLabel('Email').fill(member.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('Code').fill(member.code());
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    await page.context().clearCookies();
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    const over = page.getByRole('dialog', { name: 'Your session expired' });
    await over.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await over.getByText('Your sign-in has a second step. Sign in in another tab.').waitFor();
    const elsewhere = over.getByRole('link', { name: 'Sign in another way' });
    await elsewhere.waitFor();
    expect(await over.getByLabel('Password').count()).toBe(0);
    expect(await findingsOfAxe(page)).toEqual([]);

    // The code just used is no longer valid.
    portal.wait(60_000);
    const [other] = await Promise.all([page.waitForEvent('popup'), elsewhere.click()]);
    await other.getByLabel('Email').fill(member.email);
    await other.getByLabel('Password').fill(PASSWORD);
    await other.keyboard.press('Enter');
    await other.getByLabel('Code').fill(member.code());
    await over.waitFor({ state: 'detached' });

    // The next end of a session begins with the password again.
    await page.context().clearCookies();
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await over.getByLabel('Password').waitFor();
  });

  it('hides what a role does not include, and says why', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'member@acme.test', 'a/1/team');
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    await page.getByText('Your role (Member)').waitFor();
    expect(await page.getByRole('link', { name: 'Team' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says that there is no connection, and keeps what is on the page and what was typed', async () => {
    await using portal = await openPortal(dialect);
    const { page } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/team');
    await page.getByRole('button', { name: 'Invite people' }).click();
    await page.getByLabel('Email address').fill('nina@new.test');
    await page.context().setOffline(true);
    await page.getByText('No connection.').waitFor();
    await page.keyboard.press('Enter');
    await page
      .getByText("You're offline. Nothing was sent. What you typed is still here.", { exact: true })
      .waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('nina@new.test');
    await page.getByText('manager@acme.test').waitFor();
    await page.context().setOffline(false);
    await page.getByText('No connection.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('Invitation sent to nina@new.test.').waitFor();

    // A page that does not load contains nothing that was typed.
    await page.route('**/trpc/**', (route) => route.abort());
    await page.reload();
    await page.getByText('No answer arrived. Please try again in a moment.', { exact: true }).waitFor();
  });
});
