import { createApp } from '@gatehouse/api-main/app';
import { findMembership } from '@gatehouse/db/queries/memberships';
import {
  developmentEnvironment,
  insertTestMember,
  type RunningService,
  readOutbox,
  signIn,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { linkTo } from '../test/invitation-call.js';

const dialect = inject('dialect');

const PASSWORD = 'Analytical-Engine-1843';

const start = (env: Record<string, string> = {}) =>
  startService(createApp, { dialect, application: 'web', env: { ...developmentEnvironment(), ...env } });

async function invite(service: RunningService, email: string, as = 'owner@acme.test') {
  const { token } = await signIn(service, as);
  const body = { email, roleType: 3 };
  const answer = await service.send('/v1/invitation/create', { token, accountId: 1, body });
  expect(answer.status).toBe(200);
  return linkTo(service, email);
}

/** Sends the form of a page, as a browser without scripts does. */
async function submit(service: RunningService, fields: Record<string, string>) {
  const response = await service.send('/invitation', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return { status: response.status, html: await response.text() };
}

async function open(service: RunningService, token: string) {
  const response = await service.send(`/invitation?token=${token}`);
  return { status: response.status, html: await response.text(), headers: response.headers };
}

describe('the page of an invitation', () => {
  it('lets a new person join without scripts, and shows in the form what is wrong', async () => {
    await using service = await start({ PORTAL: 'off' });
    const token = await invite(service, 'ada@lovelace.test');
    const shown = await open(service, token);
    expect(shown.status).toBe(200);
    expect(shown.html).toContain('<strong>Olivia Marsh</strong> invited');
    expect(shown.html).toContain('to join <strong>Acme Studio</strong>, as Contributor');
    expect(shown.html).toContain('name="action" value="join"');
    expect(shown.html).not.toMatch(/<script|javascript:/i);
    expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(shown.headers.get('referrer-policy')).toBe('same-origin');
    expect(shown.headers.get('cache-control')).toBe('no-store');

    const fields = { token, action: 'join', email: 'ada@lovelace.test', username: 'ada', firstName: '' };
    const weak = await submit(service, { ...fields, password: 'short' });
    expect(weak.status).toBe(400);
    expect(weak.html).toContain('role="alert"');
    expect(weak.html).toContain('value="ada"');
    expect(weak.html).not.toContain('short');
    expect(weak.html).toContain('<p class="bad">Password: ');
    expect(weak.html).toMatch(/<input id="password" [^>]* aria-invalid="true"/);
    expect(await submit(service, { ...fields, password: PASSWORD })).toMatchObject({ status: 200 });
    const { userId } = await signInByPassword(service, 'ada@lovelace.test', PASSWORD);
    const place = { memberId: userId, accountId: 1 };
    expect(await findMembership(service.database, place)).toMatchObject({ roleType: 3 });
    expect(await submit(service, { ...fields, password: PASSWORD })).toMatchObject({ status: 409 });
  });

  it('lets a member accept with their password, in a session that ends right after it', async () => {
    await using service = await start();
    const token = await invite(service, 'owner@cedar.test');
    expect((await open(service, token)).html).toContain('name="action" value="accept"');
    const fields = { token, action: 'accept', email: 'owner@cedar.test' };
    const wrong = await submit(service, { ...fields, password: 'not the password' });
    expect([wrong.status, wrong.html.includes('name="action" value="accept"')]).toEqual([401, true]);
    const place = { memberId: 9, accountId: 1 };
    expect(await findMembership(service.database, place)).toBeUndefined();
    // The form cannot change the address: the invitation's address signs in.
    const right = { ...fields, email: 'owner@acme.test', password: 'Lantern-Harbor-42' };
    expect(await submit(service, right)).toMatchObject({ status: 200 });
    expect(await findMembership(service.database, place)).toMatchObject({ roleType: 3 });
    const { sessions } = service.database.tables;
    const theirs = (await service.database.select().from(sessions)).filter(({ memberId }) => memberId === 9);
    expect(theirs).toHaveLength(1);
    expect(theirs[0]?.endedAtMs).not.toBeNull();
  });

  it('declines only by a button', async () => {
    await using service = await start();
    const token = await invite(service, 'nobody@x.test');
    await open(service, token);
    expect(await submit(service, { token, action: 'decline' })).toMatchObject({ status: 200 });
    const after = await open(service, token);
    expect(after.status).toBe(200);
    expect(after.html).toContain('Join</button>');
  });

  it("shows names as text, and the inviter's address in place of a name like a link or a telephone number", async () => {
    await using service = await start();
    const { token } = await signIn(service, 'owner@acme.test');
    const rename = (firstName: string, lastName: string) =>
      service.send('/v1/profile/update', { token, body: { firstName, lastName } });
    await rename('<b onload=x>', '"&');
    const first = await open(service, await invite(service, 'a@x.test'));
    expect(first.html).toContain('<strong>&lt;b onload=x&gt; &quot;&amp;</strong>');
    await rename('Win at evil.test', 'now');
    const second = await open(service, await invite(service, 'b@x.test'));
    expect(second.html).not.toContain('evil');
    const [mail] = await readOutbox(service);
    expect(mail?.text).toContain('owner@acme.test invited you to join “Acme Studio”.');
    expect(`${mail?.text}${mail?.html}${mail?.subject}`).not.toContain('evil');
    await rename('Call me at', '٥٥٥ 123-4567');
    const account = { token, accountId: 1, body: { name: 'Win 1000000, see tel:911' } };
    expect((await service.send('/v1/account/rename', account)).status).toBe(200);
    await invite(service, 'c@x.test');
    const [phone] = await readOutbox(service);
    expect(phone?.text).toContain('owner@acme.test invited you to join the organization of owner@acme.test.');
    expect(`${phone?.text}${phone?.html}${phone?.subject}`).not.toMatch(/tel:|1000000|123-4567/);
  });

  it('is in the language of the invited member, or of the inviter for an unknown person', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'owner@acme.test');
    await service.send('/v1/profile/update', { token, body: { locale: 'de' } });
    await invite(service, 'neu@x.test');
    expect((await readOutbox(service))[0]).toMatchObject({
      subject: 'Olivia Marsh hat dich in „Acme Studio“ eingeladen',
      text: expect.stringContaining('Olivia Marsh hat dich in die Organisation „Acme Studio“ eingeladen.'),
      html: expect.stringContaining('<html lang="de">'),
    });
    await invite(service, 'owner@cedar.test');
    expect((await readOutbox(service))[0]?.subject).toBe('Olivia Marsh invited you to “Acme Studio”');
    const planter = await insertTestMember(service.database);
    await invite(service, planter.email);
    expect((await readOutbox(service))[0]?.subject).toBe('Olivia Marsh hat dich in „Acme Studio“ eingeladen');
  });

  it('does not exist while the front end is on another host', async () => {
    await using service = await start({ APP_URL: 'https://app.example.com' });
    expect((await open(service, 'x')).status).toBe(404);
    expect((await submit(service, { token: 'x' })).status).toBe(404);
  });
});
