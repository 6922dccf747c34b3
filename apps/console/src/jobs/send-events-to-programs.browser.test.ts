import { deliverAll } from '@gatehouse/features/test/deliver-all';
import { startEventReceiver } from '@gatehouse/features/test/event-receiver';
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
import { openConsole, type Page, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

async function readSecret(page: Page): Promise<string> {
  const secret = await page
    .getByRole('dialog')
    .getByText(/^whsec_/)
    .textContent();
  expect(await findingsOfAxe(page)).toEqual([]);
  return secret ?? '';
}

describe('endpoints for the events of the deployment', () => {
  it('are added, get signed events, are tested and paused, and show what was sent', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, service, at } = console;
    const root = await insertTestMember(service.database, { roleType: 0, isPersonnel: true });
    /** Gives a member another name, which is an event. */
    const rename = async (firstName: string) => {
      const body = { memberId: 4, firstName, lastName: 'Sato' };
      expect((await service.send('/v1/member/update', { token: root.token, body })).status).toBe(200);
    };
    let isDown = false;
    await using receiver = await startEventReceiver(() =>
      isDown ? { status: 500, body: '<b>database</b> is down' } : { status: 204 },
    );
    const deliver = () => deliverAll(service.services);
    const namesOf = () => receiver.received.map(({ event }) => event.data['firstName']);
    await signInAs(console, 'root@gatehouse.test', 'developers');
    for (const hand of handsInTurn(dialect, [mouse, keyboard])) {
      const chooseAction = async (action: string) => {
        await hand.press(button(page, 'More'));
        await hand.press(button(page, action).first());
      };
      receiver.received.splice(0);
      await page.goto(at('developers'));
      await screenShown(page);
      await useHand(page, hand, dialect);
      await hand.press(page.getByRole('link', { name: 'Event endpoints' }));
      await page.getByText('We send the events of all organizations').waitFor();
      await page.getByText('An endpoint is an address of yours').waitFor();

      await hand.press(button(page, 'Add endpoint'));
      const address = page.getByRole('textbox', { name: 'Address' });
      await hand.write(address, 'https://10.0.0.1/events');
      await page.getByRole('checkbox', { name: 'People' }).press('Space');
      await hand.press(button(page, 'Add endpoint').last());
      await page.getByText("This address isn't allowed.").waitFor();
      expect(await address.getAttribute('aria-invalid')).toBe('true');
      expect(await findingsOfAxe(page)).toEqual([]);
      await hand.write(address, receiver.url);
      await hand.press(button(page, 'Add endpoint').last());
      const secret = await readSecret(page);
      await hand.press(button(page, "I've saved it"));

      await hand.press(page.getByRole('link', { name: receiver.url }));
      await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
      await page.getByText('member.*').waitFor();
      await hand.press(button(page, 'Send a test event'));
      await page.getByText(/^The endpoint accepted it with 204 after \d+ ms\.$/).waitFor();
      expect(receiver.pings.at(-1)?.verify(secret)).toMatchObject({ type: 'endpoint.ping' });

      isDown = true;
      await rename('One');
      await deliver();
      isDown = false;
      await hand.press(button(page, 'Refresh'));
      await hand.choose(page.getByLabel('Status'), 'Waiting');
      expect(page.url()).toContain('?state=pending');
      await hand.press(button(page, /^member\.updated Waiting · answered 500 · .+ next attempt/));
      await page.getByText(/^The endpoint answered 500 after \d+ ms\./).waitFor();
      await page.getByText('<b>database</b> is down').waitFor();
      expect(await flawsOfLook(page)).toEqual([]);
      await useHand(page, hand, dialect);
      await hand.press(button(page, 'Send again'));
      await page.getByText('The event will be sent again.').waitFor();
      await deliver();
      expect(namesOf()).toEqual(['One', 'One']);
      expect(receiver.received.at(-1)?.verify(secret)).toMatchObject({ type: 'member.updated' });

      await chooseAction('Pause…');
      await hand.press(button(page, 'Pause endpoint'));
      await page.getByRole('heading', { level: 2, name: 'Paused' }).waitFor();
      await rename('Two');
      await deliver();
      expect(namesOf()).toHaveLength(2);
      await chooseAction('Resume…');
      await hand.press(button(page, 'Resume endpoint'));
      await page.getByRole('heading', { level: 2, name: 'Active' }).waitFor();
      await deliver();
      expect(namesOf()).toEqual(['One', 'One', 'Two']);

      await chooseAction('Rotate secret…');
      await hand.choose(page.getByLabel('The old secret expires'), 'immediately');
      await hand.press(button(page, 'Create new secret'));
      const next = await readSecret(page);
      await hand.press(button(page, "I've saved it"));
      await rename('Mina');
      await deliver();
      const last = receiver.received.at(-1);
      expect(last?.verify(next)).toMatchObject({ data: { firstName: 'Mina' } });
      expect(() => last?.verify(secret)).toThrow('No matching signature found');

      await chooseAction('Remove…');
      await hand.press(button(page, 'Remove endpoint'));
      await page.getByText('The endpoint was removed.').waitFor();
      await page.getByText('An endpoint is an address of yours').waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('are hidden from staff who may not manage them', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    await signInAs(console, 'staff@gatehouse.test', 'developers/endpoints');
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await page.keyboard.type('profile');
    await palette.getByRole('option', { name: 'Your profile' }).waitFor();
    await palette.getByRole('combobox').fill('signing');
    await expect.poll(() => palette.getByRole('option').count()).toBe(0);
    await page.goto(at('developers/endpoints/1'));
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    expect(complaints).toEqual([]);
  });
});
