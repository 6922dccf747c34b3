import { insertTestMember } from '@gatehouse/testkit';
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

/** Calls the service as root staff. */
async function asRoot({ service }: OpenConsole) {
  const root = await insertTestMember(service.database, { roleType: 0, isPersonnel: true });
  return async (call: string, body: object) =>
    (await (await service.send(`/v1/${call}`, { token: root.token, body })).json()) as { data: unknown };
}

describe('APIs that take access tokens', () => {
  it('are added, changed and removed, and name the machine that may introspect tokens', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    const call = await asRoot(console);
    const { data: machine } = await call('machine/save', { name: 'Gateway <i>1</i>' });
    await signInAs(console, 'root@gatehouse.test', 'mail');
    for (const hand of handsInTurn(dialect, [mouse, keyboard])) {
      await page.goto(at('mail'));
      await screenShown(page);
      await useHand(page, hand, dialect);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('access tok');
      await page.getByRole('option', { name: 'APIs with access tokens' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'APIs' }).waitFor();
      await page.getByRole('heading', { level: 2, name: 'No APIs yet' }).waitFor();

      await hand.press(button(page, 'Add API'));
      const origin = page.getByRole('textbox', { name: 'Origin' });
      await hand.write(page.getByRole('textbox', { name: 'Name' }), 'Invoices & co.');
      await hand.write(origin, 'https://api.example.com/invoices');
      await hand.press(button(page, 'Add API').last());
      await page.getByText('Enter an origin such as https://api.example.com.').waitFor();
      expect(await origin.getAttribute('aria-invalid')).toBe('true');
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.write(origin, 'https://API.example.com');
      await hand.choose(page.getByLabel('Access token lifetime'), '2 minutes');
      await hand.press(button(page, 'Add API').last());
      await page.getByText('Invoices & co. was added.').waitFor();
      const row = page.getByRole('listitem').filter({ hasText: 'https://api.example.com' });
      await row.getByText('Token lifetime: 2 minutes').waitFor();
      const added = {
        origin: 'https://api.example.com',
        ttlSeconds: 120,
        machineId: null,
        applicationTokens: 'opaque',
      };
      expect(await call('resource/list', {})).toMatchObject({ data: [added] });

      await hand.press(button(page, 'Actions for Invoices & co.'));
      await hand.press(button(page, 'Edit Invoices & co.'));
      await hand.choose(page.getByLabel('Introspection'), 'Gateway <i>1</i>');
      await page.getByText('With its API keys, this machine may ask').waitFor();
      await hand.choose(page.getByLabel('Tokens for applications'), 'The API checks them itself');
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.press(button(page, 'Save API'));
      await page.getByText('Invoices & co. was saved.').waitFor();
      await row.getByText('introspection by Gateway <i>1</i>').waitFor();
      expect(await call('resource/list', {})).toMatchObject({
        data: [{ ...added, machineId: (machine as { id: number }).id, applicationTokens: 'jwt' }],
      });
      expect(await flawsOfLook(page)).toEqual([]);
      await useHand(page, hand, dialect);

      await hand.press(button(page, 'Add API'));
      await hand.write(page.getByRole('textbox', { name: 'Name' }), 'Another');
      await hand.write(origin, 'https://api.example.com');
      await hand.press(button(page, 'Add API').last());
      await page.getByText('Another API has this origin.').waitFor();
      await hand.press(button(page, 'Cancel'));

      await hand.press(button(page, 'Actions for Invoices & co.'));
      await hand.press(button(page, 'Remove Invoices & co.'));
      await hand.press(button(page, 'Remove API'));
      await page.getByText('Invoices & co. was removed.').waitFor();
      await page.getByRole('heading', { level: 2, name: 'No APIs yet' }).waitFor();
      expect(await call('resource/list', {})).toMatchObject({ data: [] });
    }
    expect(complaints).toEqual([]);
  });

  it('are hidden from staff who may not manage them', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    await signInAs(console, 'staff@gatehouse.test', 'me');
    expect(await page.getByRole('link', { name: 'Developers' }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('profile');
    await page.getByRole('option', { name: 'Your profile' }).waitFor();
    await page.getByRole('dialog').getByRole('combobox').fill('access tok');
    await expect.poll(() => page.getByRole('dialog').getByRole('option').count()).toBe(0);
    await page.goto(at('developers/apis'));
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    expect(complaints).toEqual([]);
  });
});
