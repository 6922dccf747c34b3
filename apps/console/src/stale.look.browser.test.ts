import { hashPassword } from '@gatehouse/auth-core';
import { insertTestMail } from '@gatehouse/features/test/insert-test-mail';
import { insertTestMember } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { openConsole, PASSWORD, signInAs } from './test/open-console.js';

const dialect = inject('dialect');

/** The account that is granted to the staff of the test. */
const GRANTED = 2;

it('after a press on an outdated button, the console says in a sentence what another person has changed', async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints, at } = console;
  const { database } = service;
  const root = await insertTestMember(database, { isPersonnel: true, isConfirmed: true, roleType: 0 });
  const staff = await insertTestMember(database, {
    isPersonnel: true,
    isConfirmed: true,
    passwordHash: await hashPassword(PASSWORD),
    roleType: 6,
    grants: [GRANTED],
  });
  const member = await insertTestMember(database, { memberships: { [GRANTED]: 5 } });
  const other = await insertTestMember(database, { memberships: { [GRANTED]: 5 } });
  const meanwhile = async (name: string, body: object) => {
    const as = { token: root.token, ...(name.startsWith('invitation') ? { accountId: GRANTED } : {}) };
    const answer = await service.send(`/v1/${name}`, { ...as, body });
    expect([name, answer.status]).toEqual([name, 200]);
    return answer;
  };
  const choose = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const told = (sentence: string) => page.getByRole('alert').getByText(sentence).waitFor();
  const close = () => page.keyboard.press('Escape');

  await signInAs(console, staff.email, `members/${member.id}`);
  await choose('More actions');
  await choose('Ban');
  await meanwhile('membership/remove', { memberId: member.id, accountId: GRANTED });
  await page.getByLabel('Reason').fill('Sells tickets');
  await page.getByRole('dialog').getByRole('button', { name: 'Ban' }).click();
  await told("Not found, or you don't have access.");
  await close();

  const email = 'guest@stale.test';
  const invited = await meanwhile('invitation/create', { email, roleType: 5 });
  const { data } = (await invited.json()) as { data: { id: number } };
  await page.goto(at(`accounts/${GRANTED}/members`));
  await page.getByText(email).first().waitFor();
  await meanwhile('invitation/revoke', { invitationId: data.id });
  await choose(`Actions for ${email}`);
  await choose(`Resend ${email}`);
  await told('This invitation has already been answered.');

  // They may no longer change a person who got a higher role.
  await choose('Actions for Test Member');
  await choose('Change role Test Member');
  await meanwhile('membership/save', { memberId: other.id, accountId: GRANTED, roleType: 1 });
  await choose('Save role');
  await told('Your role does not allow this.');
  await close();

  await choose('Invite people');
  await page.getByLabel('Email address').fill('other@stale.test');
  await meanwhile('personnel/save', { personnelId: staff.id, accountIds: [] });
  await choose('Send invitation');
  // Another grant ends the session, and signing in again shows only what the new grants allow.
  const over = page.getByRole('dialog', { name: 'Your session expired' });
  await over.waitFor();
  const otherTab = await page.context().newPage();
  await signInAs({ ...console, page: otherTab }, staff.email);
  await otherTab.close();
  await over.waitFor({ state: 'detached' });
  await page.getByText("Your role can't view this page.").waitFor();
  expect(complaints).toEqual([]);
});

it("never shows one member's mails under the name of another, while those of the other are loading", async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints, at } = console;
  const [ada, ben] = [await insertTestMember(service.database), await insertTestMember(service.database)];
  await insertTestMail(service.database, { memberId: ada.id, state: 'dead', lastError: 'Mailbox full' });
  await signInAs(console, 'root@gatehouse.test', `members/${ben.id}`);
  const follow = (path: string) => page.evaluate(`history.pushState({}, '', ${JSON.stringify(at(path))})`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await follow(`members/${ada.id}/mail`);
  const hers = page.getByText('Mailbox full');
  await hers.waitFor();
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/mail\.list/, async (route) => {
    await isAnswered;
    await route.continue();
  });
  await follow(`members/${ben.id}/mail`);
  await hers.waitFor({ state: 'detached' });
  answer();
  await page.getByText('No emails in the last 30 days.').waitFor();
  expect(complaints).toEqual([]);
});
