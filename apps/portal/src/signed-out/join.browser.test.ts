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
      await page.getByRole('heading', { name: 'Join Acme Studio' }).waitFor();
      expect(page.url()).toBe(at('join'));
      expect(await page.getByLabel('Email').inputValue()).toBe(`${name}@x.test`);
      expect(await page.getByLabel('Organization').count()).toBe(0);
      if (hand === mouse) expect(await flawsOfLook(page)).toEqual([]);
      await useHand(page, hand, dialect);
      await hand.write(page.getByLabel('Username'), name);
      await hand.write(page.getByLabel('Password'), PASSWORD);
      await hand.press(page.getByRole('button', { name: 'Join' }));
      await page.getByRole('heading', { name: `Welcome, ${name}` }).waitFor();
      await page.getByText('You joined Acme Studio.').waitFor();
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
        await page.getByLabel('Email').fill(email);
        await page.getByLabel('Password').fill(PASSWORD);
        await page.keyboard.press('Enter');
      };
      await page.goto(at('sign-in'));
      await enter('member@acme.test');
      await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
      await page.goto(await invite(portal, member.email));
      await page.getByText(`sent to ${member.email}. You're signed in as member@acme.test.`).waitFor();
      if (hand === mouse) expect(await flawsOfLook(page)).toEqual([]);
      await useHand(page, hand, dialect);
      await hand.press(page.getByRole('button', { name: 'Sign out and use the invited address' }));
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await enter(member.email);
      await hand.press(page.getByRole('button', { name: 'Accept invitation' }));
      await page.getByRole('main').getByRole('link', { name: 'Acme Studio' }).waitFor();
      expect(page.url()).toBe(at(''));
      await page.context().close();
    }
    expect(complaints).toEqual([]);
  });

  it('can be declined without a sign-in, and accepted through the same link afterwards', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const link = await invite(portal, 'no@x.test');
    await page.goto(link);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('heading', { name: 'Invitation declined' }).waitFor();
    await page.goto(link);
    await page.getByLabel('Username').fill('second thoughts');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Welcome, second thoughts' }).waitFor();
    await page.goto(link);
    await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    await page.getByText('This invitation has already been answered.').waitFor();
    await page.getByRole('link', { name: 'Go to your organizations' }).click();
    await page.getByRole('heading', { name: 'Welcome, second thoughts' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
