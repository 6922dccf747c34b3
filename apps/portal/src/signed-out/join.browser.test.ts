import { signIn } from '@gatehouse/testkit';
import { flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { handsInTurn, keyboard, mouse, useHand } from '../test/hands.js';
import { type OpenPortal, openPortal, PASSWORD } from '../test/open-portal.js';
import { addMember, mailTo } from '../test/people.js';

const dialect = inject('dialect');

/** The link of an invitation to the demonstration's account 1. */
async function invite(portal: OpenPortal, email: string): Promise<string> {
  const { service } = portal;
  const { token } = await signIn(service, 'owner@acme.test');
  const answer = await service.send('/v1/invitation/create', {
    body: { email, roleType: 3 },
    token,
    accountId: 1,
  });
  expect([email, answer.status]).toEqual([email, 200]);
  return (await mailTo(portal, email, 'invitation')).link;
}

describe('an invitation', () => {
  it('lets a new person join, and signs them in', async () => {
    await using portal = await openPortal(dialect);
    const { complaints, at, newPage } = portal;
    for (const [hand, name] of handsInTurn(dialect, [
      [mouse, 'newcomer'],
      [keyboard, 'latecomer'],
    ] as const)) {
      const page = await newPage({ isOtherPerson: true });
      await page.goto(await invite(portal, `${name}@x.test`));
      await page.getByRole('heading', { name: 'You are invited to Acme Studio.' }).waitFor();
      expect(page.url()).toBe(at('join'));
      expect(await page.getByLabel('E-mail').inputValue()).toBe(`${name}@x.test`);
      if (hand === mouse) expect(await flawsOfLook(page)).toEqual([]);
      await useHand(page, hand, dialect);
      await hand.write(page.getByLabel('Name'), name);
      await hand.write(page.getByLabel('Password'), PASSWORD);
      await hand.press(page.getByRole('button', { name: 'Join' }));
      await page.getByRole('heading', { name: `You are signed in as ${name}.` }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Acme Studio' }).waitFor();
      await page.context().close();
    }
    expect(complaints).toEqual([]);
  });

  it('lets a member sign in first and accept, and asks another member to sign out', async () => {
    await using portal = await openPortal(dialect);
    const { complaints, at, newPage } = portal;
    for (const hand of handsInTurn(dialect, [keyboard, mouse])) {
      const page = await newPage({ isOtherPerson: true });
      const member = await addMember(portal);
      const enter = async (email: string) => {
        await page.getByLabel('E-mail').fill(email);
        await page.getByLabel('Password').fill(PASSWORD);
        await page.keyboard.press('Enter');
      };
      await page.goto(at('sign-in'));
      await enter('member@acme.test');
      await page.getByRole('heading', { name: /^You are signed in as/ }).waitFor();
      await page.goto(await invite(portal, member.email));
      await page.getByText('You are signed in with another address').waitFor();
      if (hand === mouse) expect(await flawsOfLook(page)).toEqual([]);
      await useHand(page, hand, dialect);
      await hand.press(page.getByRole('button', { name: 'Sign out and use the invited address' }));
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await enter(member.email);
      await hand.press(page.getByRole('button', { name: 'Accept the invitation' }));
      await page.getByRole('main').getByRole('link', { name: 'Acme Studio' }).waitFor();
      expect(page.url()).toBe(at(''));
      await page.context().close();
    }
    expect(complaints).toEqual([]);
  });

  it('can be declined without signing in, and accepted by the same link afterwards', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const link = await invite(portal, 'no@x.test');
    await page.goto(link);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('heading', { name: 'You declined.' }).waitFor();
    await page.goto(link);
    await page.getByLabel('Name').fill('second thoughts');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'You are signed in as second thoughts.' }).waitFor();
    await page.goto(link);
    await page.getByRole('heading', { name: 'This invitation cannot be answered.' }).waitFor();
    await page.getByText('This invitation was answered before.').waitFor();
    expect(complaints).toEqual([]);
  });
});
