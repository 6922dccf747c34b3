import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { signInByPassword } from '@gatehouse/testkit';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { type Hand, handsInTurn, keyboard, mouse, useHand } from '../../../../test/hands.js';
import { type OpenPortal, openPortal, PASSWORD } from '../../../../test/open-portal.js';
import { addUnprovenMember, mailTo } from '../../../../test/people.js';
import { signInAs } from '../../../../test/sign-in-as.js';

const dialect = inject('dialect');

type Page = OpenPortal['page'];

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name' });

async function addMachine(page: Page, hand: Hand, name: string, role: string): Promise<void> {
  await hand.press(button(page, 'Add machine'));
  await hand.write(nameField(page), name);
  await hand.choose(page.getByLabel('Role', { exact: true }), role);
  await hand.press(button(page, 'Add machine').last());
  await page.getByText(`${name} was added.`).waitFor();
}

/** Chooses from the menu of a machine or a key. */
async function chooseAction(page: Page, about: string, action: string, hand: Hand): Promise<void> {
  await hand.press(button(page, `Actions for ${about}`));
  await hand.press(button(page, `${action} ${about}`));
}

/** The key that is shown this once; then it is saved. */
async function readKey(page: Page, hand: Hand): Promise<string> {
  const shown = page.getByRole('dialog').getByText(/^gthk_[0-9A-Za-z]{39}$/);
  const key = (await shown.textContent()) ?? '';
  expect(await page.getByRole('dialog').locator('pre').textContent()).toContain(
    `-H "Authorization: Bearer ${key}"`,
  );
  expect(await findingsOfAxe(page)).toEqual([]);
  await hand.press(button(page, "I've saved it"));
  expect(await page.getByText(key).count()).toBe(0);
  return key;
}

/** The service's answer to a program with a key. */
async function answerTo({ service }: OpenPortal, key: string): Promise<readonly [number, unknown]> {
  const response = await service.send('/auth/me', { bearer: key });
  if (response.status !== 200) return [response.status, undefined];
  const { currentAccount } = (await response.json()) as { currentAccount: { permissions: string[] } };
  return [200, currentAccount.permissions];
}

describe('the API keys of an organization', () => {
  it('are created for a machine, work at the service, and are replaced and revoked', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, at } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/developers');
    await page.getByText('A machine is a program').waitFor();
    for (const [hand, machine] of handsInTurn(dialect, [
      [mouse, 'Nightly import'],
      [keyboard, '<b>Back</b> end & co.'],
    ] as const)) {
      await useHand(page, hand, dialect);
      await page.goto(at('a/1/developers'));
      await addMachine(page, hand, machine, 'Contributor');

      await hand.press(button(page, `Create key ${machine}`));
      // Permissions that the role of the machine lacks are not offered.
      expect(await page.getByRole('checkbox').count()).toBe(4);
      await hand.write(nameField(page), 'Production');
      await hand.press(button(page, 'Create key'));
      await page.getByText('Select at least one scope.').waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);
      const scope = page.getByRole('checkbox', { name: 'member.list' });
      expect(await scope.isChecked()).toBe(false);
      await scope.press('Space');
      const addresses = page.getByLabel('Allowed addresses (optional)');
      await hand.write(addresses, '127.0.0.0/8, nowhere');
      await hand.press(button(page, 'Create key'));
      await page.getByText('Enter addresses or networks such as').waitFor();
      expect(await addresses.getAttribute('aria-invalid')).toBe('true');
      await hand.write(addresses, '127.0.0.0/8, ::1');
      await hand.press(button(page, 'Create key'));
      const first = await readKey(page, hand);
      expect(await answerTo(portal, first)).toEqual([200, ['member.list']]);
      const row = page.getByRole('listitem').filter({ hasText: first.slice(0, 12) });
      await row.getByText('600 requests per minute').waitFor();
      await row.getByText('only from 127.0.0.0/8, ::1').waitFor();
      await row.getByText('Never used').waitFor();

      await chooseAction(page, 'Production', 'Rotate…', hand);
      await hand.choose(page.getByLabel('The old key expires'), 'in one hour');
      await hand.press(button(page, 'Create new key'));
      const second = await readKey(page, hand);
      await row.getByText(/^Replaced; expires/).waitFor();
      expect(await answerTo(portal, first)).toEqual([200, ['member.list']]);
      expect(await answerTo(portal, second)).toEqual([200, ['member.list']]);
      expect(await flawsOfLook(page)).toEqual([]);
      await useHand(page, hand, dialect);

      // Of the two keys of this name the newest is first, and the old one ends with it.
      await hand.press(button(page, 'Actions for Production').first());
      await hand.press(button(page, 'Revoke… Production'));
      await hand.press(button(page, 'Revoke key'));
      await page.getByText('The key “Production” was revoked.').waitFor();
      await page.getByText('No active keys.').first().waitFor();
      expect(await answerTo(portal, first)).toEqual([401, undefined]);
      expect(await answerTo(portal, second)).toEqual([401, undefined]);
      await hand.press(button(page, `Show 2 inactive keys ${machine}`));
      await page
        .getByText(/^Revoked on/)
        .first()
        .waitFor();
      expect(await findingsOfAxe(page)).toEqual([]);

      await chooseAction(page, machine, 'Edit', hand);
      await hand.choose(page.getByLabel('Role', { exact: true }), 'Manager');
      await hand.press(button(page, 'Save machine'));
      await page.getByText(`${machine} was saved.`).waitFor();
      await page.getByRole('region', { name: machine }).getByText('Manager').waitFor();

      await chooseAction(page, machine, 'Remove', hand);
      await hand.press(button(page, 'Remove machine'));
      await page.getByText('All its API keys stop working immediately').waitFor();
      await hand.write(page.getByLabel('Type it here'), machine);
      await hand.press(button(page, 'Remove machine'));
      await page.getByText(`${machine} was removed`).waitFor();
      await page.getByText('A machine is a program').waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('say that the maximum is reached, and ask for a proof of identity when the last one is old', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const { token } = await signInByPassword(service, 'owner@acme.test', PASSWORD);
    const made = await service.send('/v1/machine/save', {
      body: { name: 'Importer', roleType: 5 },
      token,
      accountId: 1,
    });
    const { data } = (await made.json()) as { data: { id: number } };
    for (let keys = 0; keys < 10; keys += 1)
      await service.send('/v1/key/create', {
        body: { machineId: data.id, name: `Key ${keys}`, scopes: ['account.read'] },
        token,
        accountId: 1,
      });
    await signInAs(portal, page, 'owner@acme.test', 'a/1/developers');
    portal.wait(11 * 60_000);
    await button(page, 'Create key Importer').click();
    await nameField(page).fill('One more');
    await page.getByRole('checkbox', { name: 'account.read' }).check();
    await button(page, 'Create key').click();
    const proof = page.getByRole('dialog', { name: "Confirm it's you" });
    await proof.getByLabel('Password').fill(PASSWORD);
    await button(page, 'Continue').click();
    await page.getByText("You've reached the maximum number.").waitFor();
    expect(await nameField(page).inputValue()).toBe('One more');
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('show a new key before the list loads again, and say what to do when the response with it is lost', async () => {
    await using portal = await openPortal(dialect);
    const { page } = portal;
    await signInAs(portal, page, 'owner@acme.test', 'a/1/developers');
    // The machines and their roles are requested at once.
    const first = '**/trpc/machine.list,role.list**';
    await page.route(first, async (route) => {
      const response = await route.fetch();
      const [machines] = (await response.json()) as unknown[];
      const failure = {
        message: 'No',
        code: -32_603,
        data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500 },
      };
      await route.fulfill({ response, json: [machines, { error: failure }] });
    });
    await page.reload();
    await page.getByRole('heading', { name: 'No machines yet' }).waitFor();
    await button(page, 'Try again').waitFor();
    await page.unroute(first);
    await button(page, 'Try again').click();
    await addMachine(page, mouse, 'Importer', 'Member');
    const create = async (name: string) => {
      await nameField(page).fill(name);
      await page.getByRole('checkbox', { name: 'account.read' }).check();
      await button(page, 'Create key').click();
    };
    const list = '**/trpc/key.list**';
    let answer = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await button(page, 'Create key Importer').click();
    await page.route(list, async (route) => {
      await isHeld;
      await route.continue();
    });
    await create('Production');
    expect((await answerTo(portal, await readKey(page, mouse)))[0]).toBe(200);
    await page.getByText('No active keys.').waitFor();
    answer();
    await button(page, 'Actions for Production').waitFor();
    await page.unroute(list);

    await button(page, 'Create key Importer').click();
    await page.route('**/trpc/key.create**', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await create('Lost');
    await page.getByRole('dialog').getByText('If it is in the list, revoke it').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await button(page, 'Cancel').click();
    await button(page, 'Actions for Lost').waitFor();

    await page.route('**/trpc/key.rotate**', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await chooseAction(page, 'Production', 'Rotate…', mouse);
    await button(page, 'Create new key').click();
    await page.getByRole('dialog').getByText('Create another key and switch to it').waitFor();
    await button(page, 'Cancel').click();
    await page.getByText(/^Replaced; expires/).waitFor();
  });

  it('lead an owner with an unproven address to the mailed code, and back', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service, at } = portal;
    const owner = await addUnprovenMember(portal);
    await changeAccess(service.database, { members: [owner.id] }, (tx) =>
      setMembership(tx, { accountId: 1, memberId: owner.id, roleType: 1, nowMs: portal.nowMs() }),
    );
    await signInAs(portal, page, owner.email, 'a/1/developers');
    await addMachine(page, mouse, 'Importer', 'Member');
    const createKey = async () => {
      await button(page, 'Create key Importer').click();
      await nameField(page).fill('Production');
      await page.getByRole('checkbox', { name: 'account.read' }).check();
      await button(page, 'Create key').click();
    };
    await createKey();
    await page.waitForURL((url) => url.pathname === new URL(at('code')).pathname);
    const { text } = await mailTo(portal, owner.email, 'signInCode');
    await page.getByLabel('8-digit code').fill(/\b\d{8}\b/.exec(text)?.[0] ?? '');
    await page.waitForURL(at('a/1/developers'));
    await createKey();
    expect((await answerTo(portal, await readKey(page, mouse)))[0]).toBe(200);
    expect(complaints).toEqual([]);
  });

  it('are hidden from those who may not manage them', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'manager@acme.test', 'a/1/developers');
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    expect(await page.getByRole('link', { name: 'Developers' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
