import { insertTestMember } from '@gatehouse/testkit';
import { findingsOfAxe, screenShown } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { openConsole, sendSignIn, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

describe('finding a person', () => {
  it('takes Ctrl-K, some letters and Enter, from anywhere, and no click', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    await signInAs(console, 'root@gatehouse.test', 'mail');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('member@acm');
    const person = page.getByRole('option', { name: /member@acme\.test/ });
    await person.getByText('MS', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/members\/\d+$/);
    await page.getByRole('heading', { level: 1, name: /can sign in/ }).waitFor();
    await page.getByText('member@acme.test').first().waitFor();
    const breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
    await breadcrumbs.getByText('MS', { exact: true }).waitFor();

    const id = /\d+$/.exec(page.url())?.[0];
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const [name, text] of [
      ['Copy ID', id],
      ['Copy address', 'member@acme.test'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(text);
    }

    // An id from a log finds the person too.
    await page.goto(at('mail'));
    await screenShown(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type(`#${id}`);
    await page.getByRole('option', { name: /member@acme\.test/ }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').getByRole('combobox').count()).toBe(0);

    // And the id of a request finds what it changed.
    const { service } = console;
    const root = await insertTestMember(service.database, { roleType: 0, isPersonnel: true });
    const body = { memberId: Number(id), firstName: 'Renamed' };
    const changed = await service.send('/v1/member/update', { token: root.token, body });
    const requestId = changed.headers.get('x-request-id') ?? '';
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(requestId);
    await page.getByRole('option', { name: `Changes made by this request ${requestId}` }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/audit\?request=/);
    await page.getByRole('row').filter({ hasText: 'Member changed' }).waitFor();
    expect(await page.locator('main tbody time').count()).toBe(1);
    await page.getByRole('button', { name: `Request ID: ${requestId}` }).waitFor();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    expect(await page.getByLabel('Request ID').inputValue()).toBe(requestId);
    const refused = await service.send('/v1/member/update', { token: root.token, body: { memberId: 0 } });
    await page.getByLabel('Request ID').fill(refused.headers.get('x-request-id') ?? '');
    await page.keyboard.press('Enter');
    await page.getByText('No entries for this request.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('finds names in either order, organizations by any word, and every page by its usual names', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints } = console;
    await signInAs(console, 'root@gatehouse.test', 'mail');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByRole('combobox');
    for (const [typed, found] of [
      ['mina sato', 'Mina Sato'],
      ['Sato Mina', 'Mina Sato'],
      ['studio', 'Acme Studio'],
      ['a: studio', 'Acme Studio'],
      ['accounts', 'Organizations'],
      ['members', 'Members'],
      ['audit', 'Audit log'],
      ['webhook', 'Payment events'],
      ['delete', 'Deleted'],
      ['sign out', 'Sign out'],
    ] as const) {
      await field.fill(typed);
      await page.getByRole('option', { name: found }).first().waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('offers the members and organizations seen before, without a letter typed', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints } = console;
    await signInAs(console, 'root@gatehouse.test', 'members/7');
    await page.getByRole('heading', { level: 1, name: /can sign in/ }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Acme Studio' }).click();
    await page.getByRole('heading', { level: 1, name: /Acme Studio/ }).waitFor();
    await page.keyboard.press('Control+k');
    const seen = page.getByRole('group', { name: 'Recently viewed' }).getByRole('option');
    await seen.waitFor();
    expect(await seen.textContent()).toContain('#7');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/console\/members\/7$/);
    await page.keyboard.press('Control+k');
    await seen.filter({ hasText: 'Acme Studio' }).waitFor();
    await page.keyboard.type('zz');
    await expect.poll(() => seen.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('keeps the search in the address, so that Back and a shared link repeat it', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    await signInAs(console, 'root@gatehouse.test', 'members');
    await page.getByLabel('Name, email or #ID').fill('@acme.test');
    await page.waitForURL(/q=/);
    await page.getByLabel('Role').selectOption({ label: 'Admin' });
    await page.waitForURL(/role=1/);
    await page
      .getByRole('cell', { name: /owner@acme\.test/ })
      .first()
      .waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.locator('tbody').getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: /can sign in/ }).waitFor();
    await page.goBack();
    await page.getByLabel('Name, email or #ID').waitFor();
    expect(await page.getByLabel('Name, email or #ID').inputValue()).toBe('@acme.test');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.goto(at('members?q=nobody-has-this-name'));
    await page.getByText('No matching members.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page
      .getByRole('cell', { name: /member@acme\.test/ })
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
  });

  it('sorts by a column, by mouse and keyboard, and on a phone by a list of columns', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at, service } = console;
    await insertTestMember(service.database, {});
    await signInAs(console, 'root@gatehouse.test', 'members');
    const ids = async () => {
      const texts = await page.locator('tbody td:last-child').allInnerTexts();
      return texts.map((text) => Number(text.replace('#', '')));
    };
    const head = (name: string) => page.getByRole('columnheader', { name });
    await head('ID').getByRole('button').waitFor();
    const oldestFirst = await ids();
    expect(oldestFirst.length).toBeGreaterThan(10);
    await head('ID').getByRole('button').click();
    await page.waitForURL(/sort=-id/);
    await expect.poll(ids).toEqual(oldestFirst.toReversed());
    expect(await head('ID').getAttribute('aria-sort')).toBe('descending');
    await page.reload();
    await head('ID').getByRole('button').waitFor();
    expect(await ids()).toEqual(oldestFirst.toReversed());
    await head('ID').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/sort=id/);
    await expect.poll(ids).toEqual(oldestFirst);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.searchParams.has('sort'));
    expect(await head('ID').getAttribute('aria-sort')).toBe(null);

    // Root has just signed in; the new member never did.
    await head('Last sign-in').getByRole('button').click();
    await page.waitForURL(/sort=-lastLogin/);
    await expect.poll(async () => (await ids())[0]).toBe(1);
    await page.getByRole('cell', { name: 'Never' }).first().waitFor();

    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(at('members'));
    await page.getByLabel('Sort by').selectOption('Newest first');
    await page.waitForURL(/sort=-id/);
    await expect.poll(ids).toEqual(oldestFirst.toReversed());
    expect(complaints).toEqual([]);
  });

  it('leads back from an address without a screen, and from a person who does not exist', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    await signInAs(console, 'root@gatehouse.test', 'no-such/page');
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).waitFor();
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    for (const [screen, name, list] of [
      ['members/99999', 'Member not found', 'Members'],
      ['accounts/99999', 'Organization not found', 'Organizations'],
    ] as const) {
      await page.goto(at(screen));
      await page.getByRole('heading', { level: 1, name }).waitFor();
      expect(await page.getByRole('button', { name: 'Copy ID' }).count()).toBe(0);
      await page.getByRole('main').getByRole('link', { name: list }).waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  it('tells staff without the permission that they lack it', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints } = console;
    await sendSignIn(console, 'member@acme.test');
    await page.getByText('This sign-in is for members only.').waitFor();
    expect(complaints).toEqual([]);
  });
});
