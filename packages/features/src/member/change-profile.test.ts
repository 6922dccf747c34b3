import { createApp } from '@gatehouse/api-main/app';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
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
import { MAIL_KINDS } from '../mail/mail-kinds.js';
import { previewMails } from '../mail/preview-mails.js';

const dialect = inject('dialect');

const DAY_MS = 86_400_000;

const member = 'member@acme.test';

function start(options: { now?: () => number } = {}) {
  return startService(createApp, {
    dialect,
    application: 'web',
    env: developmentEnvironment(),
    ...options,
  });
}

async function update(service: RunningService, token: string, input: object) {
  const response = await service.send('/v1/profile/update', { token, body: input });
  return { status: response.status, body: await response.json() };
}

async function me(service: RunningService, token: string): Promise<unknown> {
  return service.send('/auth/me', { token }).then((response) => response.json());
}

describe('a profile', () => {
  it('is changed by its owner over both transports, and every session sees it immediately', async () => {
    await using service = await start();
    const [here, there] = [await signIn(service, member), await signIn(service, member)];
    await me(service, there.token);
    const changed = await update(service, here.token, { firstName: 'Ada', lastName: 'Byron', locale: 'de' });
    expect(changed).toMatchObject({
      status: 200,
      body: { status: true, data: { firstName: 'Ada', lastName: 'Byron', locale: 'de', hasPassword: true } },
    });
    expect(await me(service, there.token)).toMatchObject({
      member: { firstName: 'Ada', locale: 'de', pendingEmail: null, awaits: [], hasPassword: true },
    });
    const trpc = await service.send('/trpc/profile.update', {
      token: there.token,
      body: { username: 'byron' },
    });
    expect(await trpc.json()).toMatchObject({ result: { data: { data: { username: 'byron' } } } });
    const { auditLog } = service.database.tables;
    const lines = await service.database.select().from(auditLog);
    expect(lines.filter(({ action }) => action === 'profile.updated')).toHaveLength(2);
    await update(service, here.token, { username: 'byron' });
    expect(
      (await service.database.select().from(auditLog)).filter(({ action }) => action === 'profile.updated'),
    ).toHaveLength(2);
  });

  it('ignores other fields', async () => {
    await using service = await start();
    const { token } = await signIn(service, member);
    for (const input of [{ role_type: 0 }, { email: 'x@y.test' }, { isPersonnel: true }]) {
      const refused = await update(service, token, { firstName: 'Ada', ...input });
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
      expect(JSON.stringify(refused.body)).toContain(Object.keys(input)[0]);
    }
    expect((await update(service, token, { locale: 'fr' })).status).toBe(400);
    expect(await me(service, token)).toMatchObject({ member: { locale: 'en' } });
  });

  it('is closed to sessions that a partner began', async () => {
    await using service = await start();
    const { database } = service;
    const { id, token } = await insertTestMember(database);
    const { partners, partnerMembers, sessions } = database.tables;
    const [partner] = await database.select().from(partners);
    const partnerId = partner?.id ?? 0;
    await database.insert(partnerMembers, { partnerId, memberId: id, linkedAtMs: 1 });
    await database.write(database.update(sessions).set({ partnerId }));
    expect(await update(service, token, { firstName: 'Ada' })).toMatchObject({
      status: 403,
      body: { error: { code: 'permission_denied' } },
    });
  });

  it('reports a taken username, and allows five attempts a day', async () => {
    const clock = { nowMs: Date.now() };
    await using service = await start({ now: () => clock.nowMs });
    const { token } = await signIn(service, member);
    for (const username of ['OWNER.acme', 'one', 'two', 'three', 'four']) {
      expect((await update(service, token, { username })).status).toBe(username === 'OWNER.acme' ? 409 : 200);
    }
    expect(await update(service, token, { username: 'manager' })).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limited' } },
    });
    expect((await update(service, token, { username: 'four', lastName: 'Same' })).status).toBe(200);
    clock.nowMs += DAY_MS + 1;
    expect((await update(service, token, { username: 'five' })).status).toBe(200);
  });
});

describe('the language of mails', () => {
  it('is the member’s own as soon as they change it', async () => {
    await using service = await start();
    const { token } = await signIn(service, member);
    const forgot = () => service.send('/forgotPassword', { body: { email: member } });
    await forgot();
    expect((await readOutbox(service))[0]?.subject).toBe('Set a new password');
    await update(service, token, { locale: 'de' });
    await forgot();
    const [mail] = await readOutbox(service);
    expect(mail).toMatchObject({ subject: 'Lege ein neues Passwort fest', to: member });
    expect(mail?.text).toContain('/reset?token=');
    expect(mail?.html).toContain('<html lang="de">');
    expect(mail?.html).toContain('Oder öffne diese Adresse');
  });

  it('has every kind in English and German, with the same links and codes', () => {
    const config = { APP_URL: 'https://app.example.com' };
    const [english, german] = [previewMails(config, 'en'), previewMails(config, 'de')];
    const links = (text: string) => text.match(/https:\/\/\S+/g);
    for (const kind of Object.keys(MAIL_KINDS) as (keyof typeof MAIL_KINDS)[]) {
      expect(german[kind].subject).not.toBe(english[kind].subject);
      expect(links(german[kind].text)).toEqual(links(english[kind].text));
      expect(german[kind].text.includes('0a1b2c')).toBe(english[kind].text.includes('0a1b2c'));
      // Within a sentence a capital letter would be the formal address, which no page of ours uses.
      expect([kind, /[\wäöüß,“] (?:Sie|Ihnen|Ihre?[mnrs]?)\b/.exec(german[kind].text)?.[0]]).toEqual([
        kind,
        undefined,
      ]);
    }
  });
});

describe('hasPassword', () => {
  it('is false for a member who came through a partner, until they set a password by mail', async () => {
    await using service = await start();
    const credentials = await service.send('/partnerAuth/partnerAuthentication', {
      body: { partnerId: 1, secretKey: 'acme-partner-demo-secret-0123456789' },
    });
    const { token: bearer } = (await credentials.json()) as { token: string };
    const email = 'new@partner.test';
    const registered = await service.send('/partnerAuth/registerUser', {
      bearer,
      body: { email, firstName: 'New', lastName: 'Member' },
    });
    const { userId, loginUrl } = (await registered.json()) as { userId: number; loginUrl: string };
    const login = await service.send('/webauthenticate', {
      body: { tempLogin: true, token: new URL(loginUrl).hash.replace('#login?token=', '') },
    });
    const { token } = (await login.json()) as { token: string };
    expect(await me(service, token)).toMatchObject({ member: { hasPassword: false } });

    await service.send('/forgotPassword', { body: { email } });
    const [mail] = await readOutbox(service);
    const password = 'Copper-Meadow-17';
    await service.send('/resetPassword', { body: { token: mail?.token, password } });
    const again = await signInByPassword(service, email, password);
    expect(await me(service, again.token)).toMatchObject({ member: { hasPassword: true } });
    expect((await findMemberAddress(service.database, userId))?.emailConfirmedAtMs).not.toBeNull();
  });
});
