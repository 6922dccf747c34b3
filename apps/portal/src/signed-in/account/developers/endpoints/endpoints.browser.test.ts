import { deliverAll } from '@gatehouse/features/test/deliver-all';
import { startEventReceiver } from '@gatehouse/features/test/event-receiver';
import { signInByPassword } from '@gatehouse/testkit';
import { findingsOfAxe, flawsOfLook, screenShown } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { type Hand, handsInTurn, keyboard, mouse, useHand } from '../../../../test/hands.js';
import { type OpenPortal, openPortal, PASSWORD } from '../../../../test/open-portal.js';
import { signInAs } from '../../../../test/sign-in-as.js';

const dialect = inject('dialect');

type Page = OpenPortal['page'];

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Opens the form, chooses events, and adds an address. Returns the secret, which is shown this once. */
async function addEndpoint(page: Page, hand: Hand, url: string): Promise<string> {
  await hand.press(button(page, 'Add endpoint'));
  const address = page.getByRole('textbox', { name: 'Address' });
  await hand.write(address, 'https://10.0.0.1/events');
  await hand.press(button(page, 'Add endpoint').last());
  await page.getByText('Select at least one event.').waitFor();
  await page.getByRole('checkbox', { name: 'Organization' }).press('Space');
  await hand.press(button(page, 'Add endpoint').last());
  await page.getByText("This address isn't allowed.").waitFor();
  expect(await address.getAttribute('aria-invalid')).toBe('true');
  expect(await findingsOfAxe(page)).toEqual([]);
  await hand.write(address, url);
  await hand.press(button(page, 'Add endpoint').last());
  const secret = await readSecret(page);
  await page.getByText(/^The endpoint accepted it with 204 after \d+ ms\.$/).waitFor();
  await hand.press(button(page, "I've saved it"));
  return secret;
}

async function readSecret(page: Page): Promise<string> {
  const secret = await page
    .getByRole('dialog')
    .getByText(/^whsec_/)
    .textContent();
  expect(await findingsOfAxe(page)).toEqual([]);
  return secret ?? '';
}

/** Chooses from the menu of an endpoint. */
async function chooseAction(page: Page, action: string, hand: Hand): Promise<void> {
  await hand.press(button(page, 'More'));
  await hand.press(button(page, action).first());
}

/** Renames the account, which causes an event. */
async function rename({ service }: OpenPortal, token: string, name: string): Promise<void> {
  const { status } = await service.send('/v1/account/rename', { body: { name }, token, accountId: 1 });
  expect(status).toBe(200);
}

describe('the endpoints for events of an organization', () => {
  it('get signed events, are tested, paused and resumed, and show what was sent', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service, at } = portal;
    let isDown = false;
    await using receiver = await startEventReceiver(() =>
      isDown ? { status: 500, body: '<b>database</b> is down' } : { status: 204 },
    );
    const deliver = () => deliverAll(service.services);
    const namesOf = () => receiver.received.map(({ event }) => event.data['name']);
    const { token } = await signInByPassword(service, 'owner@acme.test', PASSWORD);
    await signInAs(portal, page, 'owner@acme.test', 'a/1/developers');
    for (const hand of handsInTurn(dialect, [mouse, keyboard])) {
      await useHand(page, hand, dialect);
      receiver.received.splice(0);
      await hand.press(page.getByRole('link', { name: 'Event endpoints' }));
      await page.getByText('An endpoint is an address of yours').waitFor();
      const secret = await addEndpoint(page, hand, receiver.url);

      await hand.press(page.getByRole('link', { name: receiver.url }));
      await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor();
      await page.getByText('account.*').waitFor();
      await page.getByText('Nothing has been sent yet.').waitFor();
      await hand.press(button(page, 'Send a test event'));
      await page.getByText(/^The endpoint accepted it with 204 after \d+ ms\.$/).waitFor();
      expect(receiver.pings.at(-1)?.verify(secret)).toMatchObject({ type: 'endpoint.ping' });

      await rename(portal, token, 'One');
      await deliver();
      isDown = true;
      await rename(portal, token, 'Two');
      await deliver();
      isDown = false;
      await hand.press(button(page, 'Refresh'));
      await button(page, /^account\.updated Waiting · answered 500 · .+ next attempt/).waitFor();
      await hand.choose(page.getByLabel('Status'), 'Failed');
      await page.getByText('No delivery matches.').waitFor();
      expect(page.url()).toContain('?state=failed');
      await hand.press(button(page, 'Clear filters'));
      await hand.choose(page.getByLabel('Event', { exact: true }), 'account.updated');
      await hand.choose(page.getByLabel('Status'), 'Waiting');
      await expect.poll(() => button(page, /^account\.updated/).count()).toBe(1);
      await hand.press(button(page, /^account\.updated Waiting/));
      await page.getByText(/^The endpoint answered 500 after \d+ ms\./).waitFor();
      await page.getByText('<b>database</b> is down').waitFor();
      expect(await flawsOfLook(page)).toEqual([]);
      await useHand(page, hand, dialect);
      await hand.press(button(page, 'Send again'));
      await page.getByText('The event will be sent again.').waitFor();
      await deliver();
      expect(namesOf()).toEqual(['One', 'Two', 'Two']);
      expect(receiver.received.at(-1)?.verify(secret)).toMatchObject({ type: 'account.updated' });
      await hand.choose(page.getByLabel('Status'), 'Delivered');
      await hand.press(button(page, 'Refresh'));
      await expect.poll(() => button(page, /^account\.updated Delivered/).count()).toBe(2);

      // Somebody else changes another setting at the same time.
      const endpointId = Number(new URL(page.url()).pathname.split('/').at(-1));
      const change = { endpointId, description: 'Changed meanwhile' };
      await service.send('/v1/eventEndpoint/save', { body: change, token, accountId: 1 });
      await chooseAction(page, 'Pause…', hand);
      await hand.press(button(page, 'Pause endpoint'));
      await page.getByText('The endpoint is paused.').waitFor();
      await page.getByRole('heading', { level: 2, name: 'Paused' }).waitFor();
      await page.getByText('Changed meanwhile').waitFor();
      await rename(portal, token, 'Three');
      await deliver();
      expect(namesOf()).toHaveLength(3);
      await chooseAction(page, 'Resume…', hand);
      await hand.press(button(page, 'Resume endpoint'));
      await page.getByRole('heading', { level: 2, name: 'Active' }).waitFor();
      await deliver();
      expect(namesOf()).toEqual(['One', 'Two', 'Two', 'Three']);

      await chooseAction(page, 'Rotate secret…', hand);
      await hand.choose(page.getByLabel('The old secret expires'), 'immediately');
      await hand.press(button(page, 'Create new secret'));
      const next = await readSecret(page);
      await hand.press(button(page, "I've saved it"));
      await rename(portal, token, 'Acme Studio');
      await deliver();
      const last = receiver.received.at(-1);
      expect(last?.verify(next)).toMatchObject({ data: { name: 'Acme Studio' } });
      expect(() => last?.verify(secret)).toThrow('No matching signature found');

      await chooseAction(page, 'Remove…', hand);
      await hand.press(button(page, 'Remove endpoint'));
      await page.getByText('The endpoint was removed.').waitFor();
      await page.getByText('An endpoint is an address of yours').waitFor();
      await page.goto(at('a/1/developers'));
      await screenShown(page);
    }
    expect(complaints).toEqual([]);
  });

  it('wait for the answer to a test event, and say why there was none', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const silent = await startEventReceiver();
    const { url } = silent;
    await silent[Symbol.asyncDispose]();
    const { token } = await signInByPassword(service, 'owner@acme.test', PASSWORD);
    for (let endpoints = 0; endpoints < 10; endpoints += 1) {
      const body = { url, types: ['member.*'], description: `<i>${endpoints}</i>` };
      await service.send('/v1/eventEndpoint/save', { body, token, accountId: 1 });
      // One endpoint may cause ten test events a minute.
      portal.wait(61_000);
    }
    await signInAs(portal, page, 'owner@acme.test', 'a/1/developers/endpoints');
    await page.getByText('<i>9</i>').waitFor();
    await page.getByText('Waiting for a first answer').first().waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await button(page, 'Add endpoint').click();
    await page.getByRole('textbox', { name: 'Address' }).fill(url);
    await page.getByRole('checkbox', { name: 'All events' }).check();
    await button(page, 'Add endpoint').last().click();
    await page.getByText("You've reached the maximum number.").waitFor();
    await button(page, 'Cancel').click();
    await page.getByRole('link', { name: url }).first().click();
    await button(page, 'Send a test event').click();
    await page.getByText('No connection could be made.').waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('say what to do when the response with a secret is lost, or the types of events do not load', async () => {
    await using portal = await openPortal(dialect);
    const { page, service } = portal;
    await using receiver = await startEventReceiver();
    await signInAs(portal, page, 'owner@acme.test', 'a/1/developers/endpoints');
    const catalogue = '**/trpc/event.catalogue**';
    await page.route(catalogue, (route) => route.abort('connectionreset'));
    await button(page, 'Add endpoint').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No answer arrived.').waitFor();
    await page.unroute(catalogue);
    await button(page, 'Try again').click();
    await page.getByRole('checkbox', { name: 'All events' }).check();
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    const loseAnswer = async (call: string) => {
      await page.route(`**/trpc/${call}**`, async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      });
    };
    await loseAnswer('eventEndpoint.save');
    await button(page, 'Add endpoint').last().click();
    await dialog.getByText('If it is in the list, rotate its secret').waitFor();
    await button(page, 'Cancel').click();
    await page.getByRole('link', { name: receiver.url }).click();
    await loseAnswer('eventEndpoint.rotateSecret');
    await chooseAction(page, 'Rotate secret…', mouse);
    await button(page, 'Create new secret').click();
    await dialog.getByText('Rotate it again').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    expect(await service.database.select().from(service.database.tables.eventEndpoints)).toHaveLength(1);
  });

  it('are hidden from those who may not manage them', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    await signInAs(portal, page, 'manager@acme.test', 'a/1/developers/endpoints');
    await page.getByRole('heading', { name: "You don't have permission" }).waitFor();
    expect(complaints).toEqual([]);
  });
});
