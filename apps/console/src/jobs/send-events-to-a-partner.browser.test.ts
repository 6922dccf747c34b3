import { deliverAll } from '@gatehouse/features/test/deliver-all';
import { startEventReceiver } from '@gatehouse/features/test/event-receiver';
import { insertTestMember } from '@gatehouse/testkit';
import {
  findingsOfAxe,
  flawsOfLook,
  handsInTurn,
  keyboard,
  mouse,
  useHand,
} from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { openConsole, type Page, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

describe('the endpoints of a partner', () => {
  it('are added, tested and removed by staff, who see only what was sent to that partner', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, service, at } = console;
    const { database } = service;
    const root = await insertTestMember(database, { roleType: 0, isPersonnel: true });
    await database.insert(database.tables.partnerMembers, {
      partnerId: 1,
      memberId: 4,
      linkedAtMs: Date.now(),
    });
    const rename = async (firstName: string) => {
      const body = { memberId: 4, firstName, lastName: 'Sato' };
      expect((await service.send('/v1/member/update', { token: root.token, body })).status).toBe(200);
    };
    await using receiver = await startEventReceiver(() => ({ status: 204 }));
    await signInAs(console, 'root@gatehouse.test', 'partners/1');
    for (const hand of handsInTurn(dialect, [mouse, keyboard])) {
      receiver.received.splice(0);
      await page.goto(at('partners/1'));
      await useHand(page, hand, dialect);
      await hand.press(page.getByRole('link', { name: 'Endpoints and deliveries' }));
      await page.getByText('We send acme-partner the events').waitFor();
      await page.getByText('An endpoint is an address of the partner').waitFor();
      await hand.press(button(page, 'Add endpoint'));
      await hand.write(page.getByRole('textbox', { name: 'Address' }), receiver.url);
      await page.getByRole('checkbox', { name: 'People' }).press('Space');
      await hand.press(button(page, 'Add endpoint').last());
      const secret = await page
        .getByRole('dialog')
        .getByText(/^whsec_/)
        .textContent();
      await page.getByText('share it with the partner over a secure channel').waitFor();
      await hand.press(button(page, "I've saved it"));
      expect(await findingsOfAxe(page)).toEqual([]);

      await hand.press(page.getByRole('link', { name: receiver.url }));
      await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
      await hand.press(button(page, 'Send a test event'));
      await page.getByText(/^The endpoint accepted it with 204 after \d+ ms\.$/).waitFor();
      await rename(`By ${receiver.pings.length}`);
      await deliverAll(service.services);
      expect(receiver.received.at(-1)?.verify(secret ?? '')).toMatchObject({ type: 'member.updated' });
      await hand.press(button(page, 'Refresh'));
      await hand.press(button(page, /^member\.updated/));
      await button(page, 'Send again').waitFor();
      expect(await flawsOfLook(page)).toEqual([]);
      expect(await findingsOfAxe(page)).toEqual([]);

      // Neither the deployment's list nor another partner's has it.
      const endpointPath = new URL(page.url()).pathname;
      await page.goto(at('developers/endpoints'));
      await page.getByText('An endpoint is an address of yours').waitFor();
      await page.goto(new URL(endpointPath, at('')).href);
      await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
      await useHand(page, hand, dialect);
      await hand.press(button(page, 'More'));
      await hand.press(button(page, 'Remove…').first());
      await hand.press(button(page, 'Remove endpoint'));
      await page.getByText('The endpoint was removed.').waitFor();
      await hand.press(page.getByRole('link', { name: 'Back to the partner' }));
      await page.getByRole('heading', { name: 'Valid secrets' }).waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('are hidden from staff who may not manage partners, and for a partner that does not exist', async () => {
    await using console = await openConsole(dialect);
    const { page, complaints, at } = console;
    await signInAs(console, 'root@gatehouse.test', 'partners/999/endpoints');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await button(page, 'Sign out').click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    await signInAs(console, 'staff@gatehouse.test', 'partners/1/endpoints');
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    await page.goto(at('partners/1/endpoints/1'));
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    expect(complaints).toEqual([]);
  });
});
