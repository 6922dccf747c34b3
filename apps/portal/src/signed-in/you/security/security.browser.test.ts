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

/** The code that an app shows now which was given the secret on the page. */
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
  await page.getByLabel('E-mail').fill(member.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code').fill(member.code());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Your sign-in is well protected.' }).waitFor();
}

describe('the authenticator app', () => {
  it('is added by a picture or its secret, with backup codes that are shown once', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const member = await addMember(portal);
    await signInAs(portal, page, member.email, 'you/security');
    await page.getByRole('heading', { level: 1, name: 'One step is enough to sign in as you.' }).waitFor();
    await page.getByRole('button', { name: 'Add an app' }).focus();
    await page.keyboard.press('Enter');
    const picture = page.getByRole('img', { name: 'QR code with the key shown below' });
    await picture.waitFor();
    await expect
      .poll(() => page.evaluate("document.querySelector('dialog img').naturalWidth > 0"))
      .toBe(true);
    expect(await flawsOfLook(page)).toEqual([]);
    const code = await codeOfPage(portal, page);
    const field = page.getByLabel('The six digits that the app shows now');
    await field.fill(code === '000000' ? '111111' : '000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The code is wrong, or was used before.').waitFor();
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
    await once.getByRole('button', { name: 'I have kept them' }).click();
    await once.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Your sign-in is well protected.' }).waitFor();
    await page.getByText('An authenticator app was added.').waitFor();
    await page.getByText('10 backup codes are left.').waitFor();
    // It is the last way to take the second step.
    await page.getByText('It stays while sign-ins take two steps').waitFor();
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    expect((await service.send('/auth/me', { token: member.token })).status).toBe(401);
    expect(complaints).toEqual([]);
  });

  it('takes a mailed code while the address is not proven', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const { email } = await addUnprovenMember(portal);
    await signInAs(portal, page, email, 'you/security');
    await page.getByRole('button', { name: 'Add an app' }).click();
    const field = page.getByLabel('The six digits that the app shows now');
    const mailed = page.getByLabel('The eight digits in the mail');
    await field.fill(await codeOfPage(portal, page));
    await mailed.fill('00000000');
    await mailed.press('Enter');
    await page.getByText('The code from the mail is missing or wrong.').waitFor();
    await page.getByRole('button', { name: 'Send me the code' }).click();
    await page.getByText('It is on its way.').waitFor();
    const { text } = await mailTo(portal, email, 'mailedCode');
    await mailed.fill(/\d{4} ?\d{4}/.exec(text)?.[0] ?? '');
    await mailed.press('Enter');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your sign-in is well protected.' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is removed once sign-ins take one step; both actions ask for a proof', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, wait } = portal;
    const member = await addMemberWithApp(portal);
    await signInWithApp(portal, page, member);
    wait(15 * 60_000);
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Switch it off' }).click();
    const proof = page.getByRole('dialog', { name: "Confirm it's you" });
    await proof.getByLabel('Code').fill(member.code());
    await proof.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Sign-ins take one step now.').waitFor();
    await page
      .getByRole('heading', { level: 1, name: 'You have a second factor, but nobody is asked for it.' })
      .waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the app' }).click();
    await page.getByText('The authenticator app is removed.').waitFor();
    await page.getByText('You have no authenticator app.').waitFor();
    await page.getByText('You have no backup codes.').waitFor();
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
    await page.getByText('An account of yours asks for a second factor.').waitFor();
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Switch it off' }).click();
    await page.getByText('Sign-ins take one step now.').waitFor();
    await page.getByText('It stays: an account of yours, or your work here, asks for it.').waitFor();
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
    const name = page.getByLabel('Name of the passkey');
    expect(await name.inputValue()).toBe('Chrome on Linux');
    await name.fill(NAUGHTY);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText(`The passkey “${NAUGHTY}” is added.`).waitFor();
    await page.getByText('You have one passkey.').waitFor();

    // Another one on the same device.
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Make the passkey' }).click();
    await page.getByText('There is a passkey of yours on this device already.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Switch on', exact: true }).click();
    await page.getByRole('button', { name: 'Switch it on' }).click();
    await page.getByText('Every sign-in takes a second step now.').waitFor();
    await page.getByText('It stays while sign-ins take two steps').waitFor();
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Switch it off' }).click();

    await page.getByRole('button', { name: `Rename ${NAUGHTY}` }).click();
    await name.fill('Phone');
    await page.keyboard.press('Enter');
    await page.getByText('The passkey is called “Phone” now.').waitFor();
    await page.getByRole('button', { name: 'Remove Phone' }).click();
    await page.getByRole('button', { name: 'Remove the passkey' }).click();
    await page.getByText('The passkey “Phone” is removed.').waitFor();
    await page.getByText('You have no passkey.').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the last way to sign in', () => {
  it('stays, be it a connection or a passkey, and the screens say why', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at } = portal;
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await page.goto(at('sign-in'));
    // It tells no address.
    await page.getByRole('button', { name: 'TikTok', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: /^You are signed in as/ }).waitFor();
    await addAuthenticator(page);
    await page.goto(at('you/security'));
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Make the passkey' }).click();
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('button', { name: /^Remove/ }).waitFor();
    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByRole('button', { name: 'Disconnect TikTok' }).click();
    await page.getByRole('button', { name: 'Disconnect it' }).click();
    await page.getByText('TikTok is no longer connected.').waitFor();
    await page.getByRole('link', { name: 'Security' }).click();
    await page.getByText('It stays: it is your only way to sign in.').waitFor();
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  });
});

describe('the password', () => {
  it('is changed with the present one, and ends the other sessions', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service } = portal;
    const member = await addMember(portal);
    await page.setViewportSize({ width: 320, height: 700 });
    await signInAs(portal, page, member.email, 'you/security');
    await page.getByRole('button', { name: 'Change the password' }).click();
    const present = page.getByLabel('Current password');
    const next = page.getByLabel('New password');
    await present.fill('Wrong-Password-1');
    await next.fill('Copper-Meadow-17');
    await next.press('Enter');
    await page.getByText('The password is wrong.').waitFor();
    expect(await next.inputValue()).toBe('Copper-Meadow-17');
    expect(await page.evaluate('document.activeElement.name')).toBe('currentPassword');
    await present.fill(PASSWORD);
    await next.fill('12345678');
    await next.press('Enter');
    await page.getByText('It is one of the passwords that others try first.').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await useHand(page, keyboard, dialect);
    await keyboard.write(next, 'Copper-Meadow-17');
    await keyboard.press(page.getByRole('button', { name: 'Set this password' }));
    await page.getByText('Your new password is set. Your other sessions have ended.').waitFor();
    expect((await service.send('/auth/me', { token: member.token })).status).toBe(401);
    const body = { email: member.email, password: 'Copper-Meadow-17' };
    expect((await service.send('/v1/signIn/password', { body })).status).toBe(200);
    await page.getByText('The password was changed.').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a password that others know', () => {
  it('is what the screen says first, until there is another', async () => {
    await using portal = await openPortal(dialect);
    const { page, at, complaints, service } = portal;
    const password = 'password123';
    const passwordHash = await hashPassword(password);
    const { email } = await insertTestMember(service.database, { isConfirmed: true, passwordHash });
    await page.goto(at('sign-in?next=/portal/you/security'));
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Others know your password.' }).waitFor();
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByLabel('Current password').fill(password);
    await useHand(page, mouse, dialect);
    await mouse.write(page.getByLabel('New password'), 'Copper-Meadow-17');
    await mouse.press(page.getByRole('button', { name: 'Set this password' }));
    await page.getByRole('heading', { level: 1, name: 'One step is enough to sign in as you.' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('somebody who came by another account', () => {
  it('sets a first password', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at, service } = portal;
    await page.goto(at('sign-in'));
    await page.getByRole('button', { name: 'Google', exact: true }).click();
    await page.getByLabel('E-mail address').fill('robin@rivera.test');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: /^You are signed in as/ }).waitFor();
    await page.goto(at('you/security'));
    await page.getByText('You have no password.').waitFor();
    await page.getByRole('button', { name: 'Set a password' }).click();
    expect(await page.getByLabel('Current password').count()).toBe(0);
    await page.getByLabel('New password').fill('Copper-Meadow-17');
    await page.keyboard.press('Enter');
    await page.getByText('You have a password.').waitFor();
    const body = { email: 'robin@rivera.test', password: 'Copper-Meadow-17' };
    expect((await service.send('/v1/signIn/password', { body })).status).toBe(200);
  });
});

describe('a new password', () => {
  it('disconnects what was connected since the old one, where the box is checked', async () => {
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
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('One profile was connected since you set your current password.').waitFor();
    await page.getByText('mallory@evil.test').waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill('Copper-Meadow-17');
    await page.getByRole('checkbox', { name: 'Disconnect it as well' }).check();
    await page.getByRole('button', { name: 'Set this password' }).click();
    await page.getByText('Your new password is set.').waitFor();
    expect(await service.database.select().from(socialConnections)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('what is typed', () => {
  it('stays when the service is busy or away, and is sent once', async () => {
    await using portal = await openPortal(dialect);
    const { page, service } = portal;
    const member = await addMember(portal);
    await signInAs(portal, page, member.email, 'you/security');
    await page.getByRole('button', { name: 'Change the password' }).click();
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
    await page.getByText('The answer did not arrive.').waitFor();
    expect([sent, await next.inputValue()]).toEqual([1, 'Copper-Meadow-17']);
    const body = { email: member.email, password: 'Copper-Meadow-17' };
    expect((await service.send('/v1/signIn/password', { body })).status).toBe(200);
  });
});

describe('signing in in two steps', () => {
  it('is possible with mailed codes, and new backup codes end the old ones', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints } = portal;
    const member = await addMember(portal);
    await signInAs(portal, page, member.email, 'you/security');
    await page.getByRole('button', { name: 'Switch on with mailed codes' }).click();
    await page.getByRole('button', { name: 'Switch it on' }).click();
    const once = page.getByRole('dialog', { name: 'Your backup codes' });
    const first = await once.getByRole('listitem').allInnerTexts();
    await once.getByRole('button', { name: 'I have kept them' }).click();
    await page
      .getByRole('heading', { level: 1, name: 'You sign in in two steps, the second by mail.' })
      .waitFor();
    await page.getByRole('button', { name: 'Make new ones' }).click();
    await page.getByRole('button', { name: 'Make ten new codes' }).click();
    await once.waitFor();
    const second = await once.getByRole('listitem').allInnerTexts();
    expect(second).toHaveLength(10);
    expect(second.filter((code) => first.includes(code))).toEqual([]);
    await once.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 backup codes are left.').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a recovery that somebody else asked for', () => {
  it('is what the screen says first, and is canceled there', async () => {
    await using portal = await openPortal(dialect);
    const { page, complaints, service, nowMs } = portal;
    const member = await addMemberWithApp(portal);
    await signInWithApp(portal, page, member);
    await page.getByRole('heading', { level: 1, name: 'Your sign-in is well protected.' }).waitFor();
    await insertRecovery(service.database, {
      memberId: member.id,
      openedById: 1,
      reason: 'A test',
      needsApproval: false,
      openedAtMs: nowMs(),
      effectiveAtMs: nowMs() + 86_400_000,
    });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'A recovery of your sign-in is under way.' }).waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel the recovery' }).click();
    await page.getByRole('button', { name: 'Cancel it' }).click();
    await page.getByText('The recovery is canceled. Nothing has changed.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Your sign-in is well protected.' }).waitFor();
    await page.getByText('A recovery was canceled.').waitFor();
    expect(complaints).toEqual([]);
  });
});
