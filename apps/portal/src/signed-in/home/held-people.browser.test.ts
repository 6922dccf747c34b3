import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { insertTestAccount } from '@gatehouse/features/test/invitations';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { type OpenPortal, openPortal } from '../../test/open-portal.js';
import { addMember } from '../../test/people.js';
import { signInAs } from '../../test/sign-in-as.js';

const dialect = inject('dialect');

/** An owner who took a member over, two people of the account who await their decision, and a partner. */
async function startTakeover(portal: OpenPortal) {
  const { database } = portal.service;
  const { memberships, partnerMembers } = database.tables;
  const owner = await addMember(portal);
  const accountId = await insertTestAccount(database, owner.id);
  const [known, unknown] = [await addMember(portal), await addMember(portal)];
  const nowMs = portal.nowMs();
  await changeAccess(database, { members: [owner.id] }, (tx) =>
    setMembership(tx, { accountId, memberId: owner.id, roleType: 1, nowMs }),
  );
  const held = { roleType: 3, active: false, heldSinceMs: nowMs, createdAtMs: nowMs, updatedAtMs: nowMs };
  for (const { id: memberId } of [known, unknown])
    await database.insert(memberships, { accountId, memberId, ...held });
  const link = { partnerId: 1, memberId: owner.id, linkedAtMs: nowMs, heldSinceMs: nowMs };
  await database.insert(partnerMembers, link);
  const placeOf = async (memberId: number) =>
    (await database.select().from(memberships)).find(
      (row) => row.accountId === accountId && row.memberId === memberId && !row.isDeleted,
    );
  return { owner, known, unknown, placeOf, linksOf: () => database.select().from(partnerMembers) };
}

describe('people and partners who were admitted before the owner proved the address', () => {
  it('are shown to the owner, who restores the access of one, removes the other, and ends the link to the partner', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const { owner, known, unknown, placeOf, linksOf } = await startTakeover(portal);
    await signInAs(portal, page, owner.email);
    const card = page.getByRole('region', { name: 'Access given earlier' });
    await card.waitFor();
    expect(await card.getByRole('listitem').count()).toBe(3);
    expect(await flawsOfLook(page)).toEqual([]);
    const rowOf = (email: string) => card.getByRole('listitem').filter({ hasText: email });
    await rowOf(known.email).getByRole('button', { name: 'Allow again' }).press('Enter');
    await rowOf(known.email).waitFor({ state: 'detached' });
    await rowOf(unknown.email).getByRole('button', { name: "Don't allow" }).click();
    await rowOf(unknown.email).waitFor({ state: 'detached' });
    expect(await placeOf(known.id)).toMatchObject({ active: true, heldSinceMs: null });
    expect(await placeOf(unknown.id)).toBeUndefined();
    await card.getByRole('button', { name: "Don't allow acme-partner" }).click();
    await card.waitFor({ state: 'detached' });
    expect(await linksOf()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('can be decided about only after a recent proof of identity', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, wait } = portal;
    const { owner, known, placeOf } = await startTakeover(portal);
    await signInAs(portal, page, owner.email);
    wait(11 * 60_000);
    const row = page.getByRole('listitem').filter({ hasText: known.email });
    await row.getByRole('button', { name: 'Allow again' }).click();
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
    await dialog.getByLabel('Password').fill('Lantern-Harbor-42');
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await row.waitFor({ state: 'detached' });
    expect(await placeOf(known.id)).toMatchObject({ active: true });
    expect(complaints).toEqual([]);
  });
});
