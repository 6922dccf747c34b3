import {
  findingsOfAxe,
  flawsOfLook,
  handsInTurn,
  keyboard,
  mouse,
  screenShown,
  useHand,
} from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { type OpenConsole, openConsole, type Page, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name' });

/** The service's answers to a program with a key: to a call that reads the staff, and to one that changes something. */
async function answersTo({ service }: OpenConsole, bearer: string): Promise<readonly number[]> {
  const read = await service.send('/v1/personnel/list', { bearer, body: {} });
  const change = await service.send('/v1/machine/save', { bearer, body: { name: 'Another' } });
  return [read.status, change.status];
}

describe('machines of the staff', () => {
  it('get keys that can only read, which are shown once, replaced and revoked', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signInAs(console, 'root@gatehouse.test', 'mail');
    for (const [hand, machine] of handsInTurn(dialect, [
      [mouse, 'Export of the audit log'],
      [keyboard, '<b>Gate</b> & co.'],
    ] as const)) {
      /** The key that is shown this once; then it is saved. */
      const readKey = async (): Promise<string> => {
        const dialog = page.getByRole('dialog');
        const key = (await dialog.getByText(/^gthk_[0-9A-Za-z]{39}$/).textContent()) ?? '';
        await hand.press(dialog.getByRole('button', { name: 'Copy', exact: true }));
        await dialog.getByText('Copied').first().waitFor();
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
        expect(await findingsOfAxe(page)).toEqual([]);
        await hand.press(button(page, "I've saved it"));
        expect(await page.getByText(key).count()).toBe(0);
        return key;
      };
      await page.goto(at('mail'));
      await screenShown(page);
      await useHand(page, hand, dialect);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('machines');
      await page.getByRole('option', { name: 'API keys and machines' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
      await page.getByText('A machine is a program of your team').waitFor();

      await hand.press(button(page, 'Add machine'));
      expect(await page.getByLabel('Role', { exact: true }).count()).toBe(0);
      await hand.write(nameField(page), machine);
      await hand.press(button(page, 'Add machine').last());
      await page.getByText(`${machine} was added.`).waitFor();

      // A key that only introspects needs no scopes.
      await hand.press(button(page, `Create key ${machine}`));
      await hand.write(nameField(page), 'Introspection');
      await hand.press(button(page, 'Create key'));
      expect(await answersTo(console, await readKey())).toEqual([403, 403]);
      await page.getByText('No scopes').waitFor();

      await hand.press(button(page, `Create key ${machine}`));
      await hand.write(nameField(page), 'Production');
      await page.getByRole('checkbox', { name: 'personnel.read' }).press('Space');
      await hand.press(button(page, 'Create key'));
      const first = await readKey();
      expect(await answersTo(console, first)).toEqual([200, 403]);
      const row = page.getByRole('listitem').filter({ hasText: first.slice(0, 12) });
      await row.getByText('personnel.read').waitFor();

      await hand.press(button(page, 'Actions for Production'));
      await hand.press(button(page, 'Rotate… Production'));
      await hand.choose(page.getByLabel('The old key expires'), 'in one hour');
      await hand.press(button(page, 'Create new key'));
      const second = await readKey();
      await row.getByText(/^Replaced; expires/).waitFor();
      expect(await answersTo(console, first)).toEqual([200, 403]);
      expect(await answersTo(console, second)).toEqual([200, 403]);
      expect(await flawsOfLook(page)).toEqual([]);
      await useHand(page, hand, dialect);

      // Of the two keys of this name the newest is first, and the old one ends with it.
      await hand.press(button(page, 'Actions for Production').first());
      await hand.press(button(page, 'Revoke… Production'));
      await hand.press(button(page, 'Revoke key'));
      await page.getByText('The key “Production” was revoked.').waitFor();
      expect(await answersTo(console, first)).toEqual([401, 401]);
      expect(await answersTo(console, second)).toEqual([401, 401]);

      await hand.press(button(page, `Actions for ${machine}`));
      await hand.press(button(page, `Remove ${machine}`));
      await page.getByText('All its API keys stop working immediately').waitFor();
      await hand.write(page.getByLabel('Type it here'), machine);
      await hand.press(button(page, 'Remove machine'));
      await page.getByText(`${machine} was removed`).waitFor();
      await page.getByText('A machine is a program of your team').waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('are hidden from staff who may not manage them', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    await signInAs(console, 'staff@gatehouse.test', 'me');
    expect(await page.getByRole('link', { name: 'Developers' }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await page.keyboard.type('profile');
    await palette.getByRole('option', { name: 'Your profile' }).waitFor();
    await palette.getByRole('combobox').fill('machines');
    await expect.poll(() => palette.getByRole('option').count()).toBe(0);
    await page.goto(at('developers'));
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    expect(complaints).toEqual([]);
  });
});
