import { readFile } from 'node:fs/promises';
import { hashPassword, totpCode, totpStep } from '@gatehouse/auth-core';
import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { insertRecovery } from '@gatehouse/db/queries/recoveries';
import { providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { insertTestMember } from '@gatehouse/testkit';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { keyboard, mouse, useHand } from '../../../test/hands.js';
import { type OpenPortal, openPortal, PASSWORD } from '../../../test/open-portal.js';
import { addMember, addMemberWithApp, addUnprovenMember, fromBase32, mailTo } from '../../../test/people.js';
import { signInAs } from '../../../test/sign-in-as.js';

const dialect = inject('dialect');
const NAUGHTY = '<b>phone</b> & “co” 👩‍👩‍👧';

type Page = OpenPortal['page'];

/** The current code of an app that was given the secret on the page. */
async function codeOfPage({ nowMs }: OpenPortal, page: Page): Promise<string> {
  const shown = await page.locator('.font-mono.select-all').first().textContent();
  return totpCode(fromBase32((shown ?? '').replace(/\s/g, '')), totpStep(nowMs()));
}

async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable', { enableUI: false });
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Signs in at a second step by the code of the app. */
async function signInWithApp(
  { at }: OpenPortal,
  page: Page,
  member: { readonly email: string; code(): string },
): Promise<void> {
  await page.goto(at('sign-in?next=/portal/you/security'));
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code').fill(member.code());
  await page.getByRole('heading', { level: 2, name: 'Your sign-in is well protected' }).waitFor();
}

describe('the authenticator app', () => {
  it('is added by QR code or secret, with backup codes that are shown once', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const member = await addMember(portal);
    await signInAs(portal, page, member.email, 'you/security');
    await page.getByRole('heading', { level: 2, name: 'Two-step sign-in is off' }).waitFor();
    await page.getByRole('button', { name: 'Add an app' }).focus();
    await page.keyboard.press('Enter');
    const picture = page.getByRole('img', { name: 'QR code with the key shown below' });
    await picture.waitFor();
    await expect
      .poll(() => page.evaluate("document.querySelector('dialog img').naturalWidth > 0"))
      .toBe(true);
    expect(await flawsOfLook(page)).toEqual([]);
    const code = await codeOfPage(portal, page);
    const field = page.getByLabel('6-digit code');
    await field.fill(code === '000000' ? '111111' : '000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The code is incorrect or has already been used.').waitFor();
    await field.fill(code);
    await page.keyboard.press('Enter');

    const once = page.getByRole('dialog', { name: 'Your backup codes' });
    await once.waitFor();
    const codes = await once.getByRole('listitem').allInnerTexts();
    expect(codes).toHaveLength(10);
    await page.keyboard.press('Escape');
    await once.getByRole('button', { name: 'Copy' }).click();
    await once.getByRole('button', { name: 'Copied' }).waitFor();
    const kept = `${codes.join('\n')}\n`;
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(kept);
    const download = page.waitForEvent('download');
    await once.getByRole('link', { name: 'Download' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toBe(kept);
    expect(await flawsOfLook(page)).toEqual([]);
    await once.getByRole('button', { name: "I've saved these codes" }).click();
    await once.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 2, name: 'Your sign-in is well protected' }).waitFor();
    await page.getByText('An authenticator app was added.').waitFor();
    // The wrong code is no attempt of somebody else to sign in.
    const mistake = page
      .getByRole('listitem')
      .filter({ hasText: 'A wrong code was entered while setting up' });
    await mistake.locator('svg.text-lantern').waitFor();
    expect(await page.getByText('A sign-in to your account failed.').count()).toBe(0);
    await page.getByText('10 backup codes left.').waitFor();
    // It is the last way to take the second step.
    await page.getByText('This is your last second factor').waitFor();
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    expect((await service.send('/auth/me', { token: member.token })).status).toBe(401);
    expect(complaints).toEqual([]);
  });

  it('requires a mailed code while the address is unproven', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const { email } = await addUnprovenMember(portal);
    await signInAs(portal, page, email, 'you/security');
    await page.getByRole('button', { name: 'Add an app' }).click();
    const field = page.getByLabel('6-digit code');
    const mailed = page.getByLabel('8-digit code');
    await field.fill(await codeOfPage(portal, page));
    await mailed.fill('00000000');
    await mailed.press('Enter');
    await page.getByText('The code from the email is missing or incorrect.').waitFor();
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByText('Code sent.').waitFor();
    const { text } = await mailTo(portal, email, 'mailedCode');
    await mailed.fill(/\d{4} ?\d{4}/.exec(text)?.[0] ?? '');
    await mailed.press('Enter');
    await page.getByRole('button', { name: "I've saved these codes" }).click();
    await page.getByRole('heading', { level: 2, name: 'Your sign-in is well protected' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is removed once sign-ins take one step; both actions ask for a proof of identity', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, wait } = portal;
    const member = await addMemberWithApp(portal);
    await signInWithApp(portal, page, member);
    wait(15 * 60_000);
    await page.getByRole('button', { name: 'Turn off…' }).click();
    await page.getByRole('button', { name: 'Turn off', exact: true }).click();
    const proof = page.getByRole('dialog', { name: "Confirm it's you" });
    await proof.getByLabel('Code').fill(member.code());
    await proof.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Two-step sign-in is now off.').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Two-step sign-in is off' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove app' }).click();
    await page.getByText('Authenticator app removed.').waitFor();
    await page.getByText('No authenticator app.').waitFor();
    await page.getByText('No backup codes.').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a factor that an account requires', () => {
  it('is named, and cannot be removed', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service, nowMs } = portal;
    const member = await addMemberWithApp(portal);
    await changeAccess(service.database, { members: [member.id], accounts: [1] }, async (tx) => {
      await setMembership(tx, { memberId: member.id, accountId: 1, roleType: 5, nowMs: nowMs() });
      const asked = { requiredLevel: 2, requiredFromMs: null, requiredUntilThen: 1 };
      await setAccountPolicy(tx, { accountId: 1, nowMs: nowMs(), ...asked });
    });
    await signInWithApp(portal, page, member);
    await page.getByText('One of your organizations requires a second factor.').waitFor();
    await page.getByRole('button', { name: 'Turn off…' }).click();
    await page.getByRole('button', { name: 'Turn off', exact: true }).click();
    await page.getByText('Two-step sign-in is now off.').waitFor();
    await page
      .getByText("You can't remove it: one of your organizations, or your staff role, requires it.")
      .waitFor();
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('passkeys', () => {
  it('are added, renamed and removed, with names that are text', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const member = await addMember(portal);
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await signInAs(portal, page, member.email, 'you/security');
    await addAuthenticator(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const name = page.getByLabel('Passkey name');
    expect(await name.inputValue()).toBe('Chrome on Linux');
    await name.fill(NAUGHTY);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: "I've saved these codes" }).click();
    await page.getByText(`Passkey “${NAUGHTY}” added.`).waitFor();
    await page.getByText('One passkey.').waitFor();

    // Another one on the same device.
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByText('You already have a passkey on this device.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Turn on…' }).click();
    await page.getByRole('button', { name: 'Turn on', exact: true }).click();
    await page.getByText('Two-step sign-in is now on.').waitFor();
    await page.getByText('This is your last second factor').waitFor();
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Turn off…' }).click();
    await page.getByRole('button', { name: 'Turn off', exact: true }).click();

    await page.getByRole('button', { name: `Rename ${NAUGHTY}` }).click();
    await name.fill('Phone');
    await page.keyboard.press('Enter');
    await page.getByText('The passkey is now called “Phone”.').waitFor();
    await page.getByRole('button', { name: 'Remove Phone' }).click();
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByText('Passkey “Phone” removed.').waitFor();
    await page.getByText('No passkeys yet.').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the only way to sign in', () => {
  it('cannot be removed, whether it is a connection or a passkey, and the screens say why', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at } = portal;
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await page.goto(at('sign-in'));
    // The provider sends no address.
    await page.getByRole('button', { name: 'TikTok', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    await addAuthenticator(page);
    await page.goto(at('you/security'));
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('button', { name: "I've saved these codes" }).click();
    await page.getByRole('button', { name: /^Remove/ }).waitFor();
    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByRole('button', { name: 'Disconnect TikTok' }).click();
    await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await page.getByText('TikTok is no longer connected.').waitFor();
    await page.getByRole('link', { name: 'Security' }).click();
    await page.getByText('This is your only way to sign in').waitFor();
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  });
});

describe('the password', () => {
  it('is changed with the current one, and ends the other sessions', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const member = await addMember(portal);
    await page.setViewportSize({ width: 320, height: 700 });
    await signInAs(portal, page, member.email, 'you/security');
    await page.getByRole('button', { name: 'Change password' }).click();
    const present = page.getByLabel('Current password');
    const next = page.getByLabel('New password');
    await present.fill('Wrong-Password-1');
    await next.fill('Copper-Meadow-17');
    await next.press('Enter');
    await page.getByText('The password is incorrect.').waitFor();
    expect(await next.inputValue()).toBe('Copper-Meadow-17');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('currentPassword');
    await present.fill(PASSWORD);
    await next.fill('12345678');
    await next.press('Enter');
    await page.getByText('This password is too common.').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await useHand(page, keyboard, dialect);
    await keyboard.write(next, 'Copper-Meadow-17');
    await keyboard.press(page.getByRole('button', { name: 'Set new password' }));
    await page.getByText('Your password has been changed. Your other sessions have ended.').waitFor();
    expect((await service.send('/auth/me', { token: member.token })).status).toBe(401);
    const body = { email: member.email, password: 'Copper-Meadow-17' };
    expect((await service.send('/v1/signIn/password', { body })).status).toBe(200);
    await page.getByText('Your password was changed.').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a password that others know', () => {
  it('is the first thing on the screen, until it is replaced', async () => {
    await using portal = await openPortal(dialect);
    const { page, at, complaints, service } = portal;
    const password = 'password123';
    const passwordHash = await hashPassword(password);
    const { email } = await insertTestMember(service.database, { isConfirmed: true, passwordHash });
    await page.goto(at('sign-in?next=/portal/you/security'));
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: 'Others know your password' }).waitFor();
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill(password);
    await useHand(page, mouse, dialect);
    await mouse.write(page.getByLabel('New password'), 'Copper-Meadow-17');
    await mouse.press(page.getByRole('button', { name: 'Set new password' }));
    await page.getByRole('heading', { level: 2, name: 'Two-step sign-in is off' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a member who registered through a provider', () => {
  it('sets a first password', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at, service } = portal;
    await page.goto(at('sign-in'));
    await page.getByRole('button', { name: 'Google', exact: true }).click();
    await page.getByLabel('E-mail address').fill('robin@rivera.test');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    await page.goto(at('you/security'));
    await page.getByText('You have no password.').waitFor();
    await page.getByText('Anyone with access to your provider account can sign in.').waitFor();
    await page.getByRole('button', { name: 'Set password' }).click();
    expect(await page.getByLabel('Current password').count()).toBe(0);
    await page.getByLabel('New password').fill('Copper-Meadow-17');
    await page.keyboard.press('Enter');
    await page.getByText('You have a password.').waitFor();
    await page.getByText('Anyone with your password can sign in.').waitFor();
    const body = { email: 'robin@rivera.test', password: 'Copper-Meadow-17' };
    expect((await service.send('/v1/signIn/password', { body })).status).toBe(200);
  });
});

describe('a new password', () => {
  it('disconnects the connections made since the old one was set, if the box is checked', async () => {
    await using portal = await openPortal(dialect);
    const { page, service, complaints, nowMs } = portal;
    const member = await addMember(portal);
    const { socialConnections } = service.database.tables;
    await service.database.insert(socialConnections, {
      memberId: member.id,
      providerId: 3,
      providerUserId: 'mallory-at-google',
      email: 'mallory@evil.test',
      tokenStatus: 'valid',
      createdAtMs: nowMs(),
      updatedAtMs: nowMs(),
    });
    await signInAs(portal, page, member.email, 'you/security');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('One provider was connected since you set your current password.').waitFor();
    await page.getByText('mallory@evil.test').waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('Copper-Meadow-17');
    await page.getByRole('checkbox', { name: 'Disconnect it as well' }).check();
    await page.getByRole('button', { name: 'Set new password' }).click();
    await page.getByText('Your password has been changed.').waitFor();
    expect(await service.database.select().from(socialConnections)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('what is typed', () => {
  it('stays in the form when the service is busy or unavailable, and is sent once', async () => {
    await using portal = await openPortal(dialect);
    const { page, service } = portal;
    const member = await addMember(portal);
    await signInAs(portal, page, member.email, 'you/security');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill(PASSWORD);
    const next = page.getByLabel('New password');
    await next.fill('Copper-Meadow-17');
    let sent = 0;
    await page.route('**/trpc/password.change**', async (route) => {
      sent += 1;
      await route.fetch();
      await route.abort();
    });
    await next.press('Enter');
    await page.getByText('No answer arrived.').waitFor();
    expect([sent, await next.inputValue()]).toEqual([1, 'Copper-Meadow-17']);
    const body = { email: member.email, password: 'Copper-Meadow-17' };
    expect((await service.send('/v1/signIn/password', { body })).status).toBe(200);
  });
});

describe('a sign-in in two steps', () => {
  it('can use mailed codes, and new backup codes end the old ones', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const member = await addMember(portal);
    await signInAs(portal, page, member.email, 'you/security');
    await page.getByRole('button', { name: 'Turn on with email codes' }).click();
    await page.getByRole('button', { name: 'Turn on', exact: true }).click();
    const once = page.getByRole('dialog', { name: 'Your backup codes' });
    const first = await once.getByRole('listitem').allInnerTexts();
    await once.getByRole('button', { name: "I've saved these codes" }).click();
    await page.getByRole('heading', { level: 2, name: 'Your second step is a code by email' }).waitFor();
    await page.getByRole('button', { name: 'Create new codes' }).click();
    await page.getByRole('button', { name: 'Create ten new codes' }).click();
    await once.waitFor();
    const second = await once.getByRole('listitem').allInnerTexts();
    expect(second).toHaveLength(10);
    expect(second.filter((code) => first.includes(code))).toEqual([]);
    await once.getByRole('button', { name: "I've saved these codes" }).click();
    await page.getByText('10 backup codes left.').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a recovery that somebody else requested', () => {
  it('is the first thing on the screen, and is canceled there', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service, nowMs } = portal;
    const member = await addMemberWithApp(portal);
    await signInWithApp(portal, page, member);
    await page.getByRole('heading', { level: 2, name: 'Your sign-in is well protected' }).waitFor();
    await insertRecovery(service.database, {
      memberId: member.id,
      openedById: 1,
      reason: 'A test',
      needsApproval: false,
      openedAtMs: nowMs(),
      effectiveAtMs: nowMs() + 86_400_000,
    });
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'An account recovery is in progress' }).waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel recovery…' }).click();
    await page.getByRole('button', { name: 'Cancel recovery', exact: true }).click();
    await page.getByText('Recovery canceled. Nothing has changed.').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Your sign-in is well protected' }).waitFor();
    await page.getByText('A recovery was canceled.').waitFor();
    expect(complaints).toEqual([]);
  });
});
