import { insertResource } from '@gatehouse/db/queries/resources';
import { insertTestConsent } from '@gatehouse/features/test/test-applications';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { openPortal } from '../../../test/open-portal.js';
import { addMember } from '../../../test/people.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');

describe('connected apps', () => {
  it('are listed with the data that they see, and removed by the member who approved them', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const { id, email } = await addMember(portal);
    await insertTestConsent(service.database, { memberId: id });
    await signInAs(portal, page, email, 'you/security');
    await page.getByRole('heading', { level: 2, name: 'Connected apps' }).waitFor();
    await page.getByText('See your identity').waitFor();
    expect(await flawsOfLook(page)).toEqual([]);

    await page.getByRole('button', { name: 'Remove Wiki' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Remove Wiki?' });
    await dialog.waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove app' }).click();
    await page.getByText('Wiki was removed.').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Connected apps' }).waitFor({ state: 'detached' });
    expect(await service.database.select().from(service.database.tables.consents)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('show in which organization an agent acts and what it may do there, until an owner forbids them', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const { id, email } = await addMember(portal, { 1: 1 });
    await insertTestConsent(service.database, {
      memberId: id,
      accountId: 1,
      scopes: ['read', 'member.manage'],
    });
    const api = {
      name: 'Invoices',
      origin: 'https://invoices.example.com',
      ttlSeconds: 300,
      machineId: null,
      applicationTokens: 'opaque',
    } as const;
    const resourceId = await insertResource(service.database, { ...api, nowMs: Date.now() });
    await insertTestConsent(service.database, { memberId: id, accountId: 1, resourceId, scopes: ['read'] });
    await signInAs(portal, page, email, 'you/security');
    await page.getByText(': See everything there · Invite and remove members').waitFor();
    await page.getByText(' · Invoices (https://invoices.example.com): See everything there').waitFor();
    expect(await flawsOfLook(page)).toEqual([]);

    await page.goto(portal.at('a/1/settings'));
    const box = page.getByRole('checkbox', { name: 'Members can connect apps to this organization' });
    await box.press(' ');
    await page.getByRole('region', { name: 'Apps and agents' }).waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page
      .locator('form', { has: box })
      .getByRole('button', { name: 'Save Apps and agents' })
      .press('Enter');
    await page.getByText('Apps no longer have access to this organization.').waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    const { accounts } = service.database.tables;
    const rows = await service.database.select({ allows: accounts.allowsAgents }).from(accounts);
    expect(rows[0]).toEqual({ allows: false });
    expect(complaints).toEqual([]);
  });

  it('of an organization are listed for its owners with the people they act for, and removed by them', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const { email } = await addMember(portal, { 1: 1 });
    const { id } = await addMember(portal, { 1: 2 });
    await insertTestConsent(service.database, { memberId: id, accountId: 1, scopes: ['read'] });
    await signInAs(portal, page, email, 'a/1/settings');
    await page.getByRole('heading', { level: 2, name: 'Connected apps' }).waitFor();
    await page.getByText('See everything · Connected on').waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    expect(await findingsOfAxe(page)).toEqual([]);

    await page.getByRole('button', { name: /^Remove Wiki, / }).press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Remove Wiki for / });
    await dialog.waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove app' }).press('Enter');
    await page.getByText('Wiki no longer has access to this organization for').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Connected apps' }).waitFor({ state: 'detached' });
    expect(await service.database.select().from(service.database.tables.consents)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('that are described by a document have a host, which an owner can block if the operator allows such apps', async () => {
    await using portal = await openPortal(dialect, { OAUTH_CLIENT_DOCUMENTS: 'any' });
    const { page, complaints, service } = portal;
    const { email } = await addMember(portal, { 1: 1 });
    await signInAs(portal, page, email, 'a/1/settings');
    const hosts = page.getByRole('textbox', { name: 'Blocked hosts' });
    await hosts.fill('agent.example.com\n\nhttps://other.example.com/');
    const form = page.locator('form', { has: hosts });
    await form.getByRole('button', { name: 'Save Apps and agents' }).click();
    await form.getByText('Line 3').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await hosts.fill('agent.example.com\nother.example.com');
    await form.getByRole('button', { name: 'Save Apps and agents' }).click();
    await page.getByText('Members can now connect apps to this organization.').waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    const { accounts } = service.database.tables;
    const rows = await service.database.select({ blocked: accounts.blockedClientHosts }).from(accounts);
    expect(rows[0]).toEqual({ blocked: ['agent.example.com', 'other.example.com'] });
    expect(complaints.filter((line) => !line.includes('400'))).toEqual([]);
  });

  it('have no card for a member who approved none', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const { email } = await addMember(portal);
    await signInAs(portal, page, email, 'you/security');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Password', { exact: true }).first().waitFor();
    expect(await page.getByText('Connected apps').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
