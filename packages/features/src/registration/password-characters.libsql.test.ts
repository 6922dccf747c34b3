import { createApp } from '@gatehouse/api-main/app';
import { dummyHash } from '@gatehouse/auth-core';
import { declarePlainPasswords } from '@gatehouse/db/queries/imported-passwords';
import { setPasswordHash } from '@gatehouse/db/queries/passwords';
import {
  developmentEnvironment,
  insertTestMember,
  type RunningService,
  readOutbox,
  signIn,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'web', env: developmentEnvironment() });
const owner = 'owner@acme.test';
const SIGN_IN_PATHS = ['/login', '/authenticate', '/webauthenticate', '/v1/signIn/password'];

/** The same characters as different keyboards and systems send them. */
const spellings = (text: string) => [text.normalize('NFC'), text.normalize('NFD'), text.normalize('NFKC')];

describe('a password with characters that have more than one form', () => {
  it.each([
    ['accents', 'Zürich-Médoc-42'],
    ['Hangul', '비밀번호는길어야해요'],
    ['full-width letters', 'Ｌａｎｔｅｒｎ－Ｈａｒｂｏｒ－４２'],
    ['ligatures', 'ﬁreﬂy-oﬃce-party'],
  ])('works everywhere in each of them after registration: %s', async (_, text) => {
    await using service = await start();
    for (const [at, set] of spellings(text).entries()) {
      const email = `zoe.${at}@world.test`;
      const body = { username: `zoe ${at}`, email, password: set };
      expect((await service.send('/register', { body })).status).toBe(200);
      for (const path of SIGN_IN_PATHS)
        for (const password of spellings(text)) {
          const { status } = await service.send(path, { body: { email, password } });
          expect([path, password, status]).toEqual([path, password, 200]);
        }
    }
  });

  it('works in each of them after a reset and a change', async () => {
    await using service = await start();
    const [nfc = '', nfd = ''] = spellings('Zürich-Médoc-42');
    expect((await resetTo(service, nfd)).status).toBe(200);
    const { token } = await signIn(service, owner);
    const changed = await service.send('/auth/password', {
      token,
      body: { currentPassword: nfc, newPassword: 'Ｃｏｐｐｅｒ－Ｍｅａｄｏｗ－１７' },
    });
    expect(changed.status).toBe(200);
    const body = { email: owner, password: 'Copper-Meadow-17' };
    expect((await service.send('/webauthenticate', { body })).status).toBe(200);
  });

  it('works as it was sent if another system hashed it in that form', async () => {
    await using service = await start();
    const { id, email } = await insertTestMember(service.database, { withSession: false });
    // bcrypt's hash of the decomposed text, made apart from this service
    const hash = '$2b$10$wiyq3TZ12Y0GcIwlNrFPmOel2B655.SKk0u6O0PypGHaskG/AjScK';
    await setPasswordHash(service.database, id, dummyHash, hash);
    const password = 'Zürich-Médoc-42'.normalize('NFD');
    for (const path of SIGN_IN_PATHS) {
      const { status } = await service.send(path, { body: { email, password } });
      expect([path, status]).toEqual([path, 200]);
    }
  });
});

describe('a password set in one Unicode form', () => {
  const set = 'Zürich-Médoc-42'.normalize('NFD');
  const typed = 'Zürich-Médoc-42'.normalize('NFC');

  async function newcomer(service: RunningService) {
    const email = 'zoe@world.test';
    await service.send('/register', { body: { username: 'zoe', email, password: set } });
    const answer = await service.send('/webauthenticate', { body: { email, password: typed } });
    return { email, token: ((await answer.json()) as { token: string }).token };
  }

  it('verifies its owner in another form, and is not a new password in another form', async () => {
    await using service = await start();
    const { token } = await newcomer(service);
    const proven = await service.send('/v1/verification/prove', { token, body: { password: typed } });
    expect(proven.status).toBe(200);
    for (const [currentPassword, newPassword, status] of [
      ['wrong-wrong-wrong', typed, 401],
      [typed, 'Copper-Ｍeadow-17', 200],
      ['Copper-Meadow-17', set, 200],
    ] as const) {
      const answer = await service.send('/auth/password', { token, body: { currentPassword, newPassword } });
      expect([newPassword, answer.status]).toEqual([newPassword, status]);
    }
  });

  it('works in another form when it was stored as declared plain text', async () => {
    await using service = await start();
    for (const [stored, sent] of [
      [set, typed],
      [typed, set],
      ['ﾊﾟｽﾜｰﾄﾞ-42', 'パスワード-42'],
    ] as const) {
      const { id, email } = await insertTestMember(service.database, { isConfirmed: true });
      await setPasswordHash(service.database, id, dummyHash, stored);
      expect(await declarePlainPasswords(service.database, [id])).toBe(1);
      const answer = await service.send('/webauthenticate', { body: { email, password: sent } });
      expect([stored, answer.status]).toEqual([stored, 200]);
      const again = await service.send('/webauthenticate', { body: { email, password: stored } });
      expect([stored, again.status]).toEqual([stored, 200]);
    }
  });
});

describe('the length of a new password', () => {
  it.each([
    ['three letters of nine bytes', '日本語', 'at least 8 characters'],
    ['seven emoji', '🏠🏡🏘🏚🏗🏢🏬', 'at least 8 characters'],
    ['eight code points that compose to four', 'e\u0301a\u0300o\u0302u\u0308', 'at least 8 characters'],
    ['73 letters', `${'Lantern-Harbor-42 '.repeat(4)}x`, 'at most 72 bytes'],
    ['eight letters that normalize to 264 bytes', 'ﷺﷺﷺﷺﷺﷺﷺﷺ', 'at most 72 bytes'],
  ])('is refused with a sentence that says why, wherever one is set: %s', async (_, password, said) => {
    await using service = await start();
    const { token } = await signIn(service, owner);
    const answers = [
      await service.send('/register', { body: { username: 'zoe', email: 'zoe@world.test', password } }),
      await service.send('/auth/password', {
        token,
        body: { currentPassword: 'Lantern-Harbor-42', newPassword: password },
      }),
      await resetTo(service, password),
    ];
    for (const answer of answers) {
      const { error } = (await answer.json()) as { error: { issues: { message: string }[] } };
      expect([answer.status, error.issues.map(({ message }) => message)]).toEqual([
        400,
        [expect.stringContaining(said)],
      ]);
    }
  });

  it('counts after normalization: 28 full-width letters of 84 bytes are accepted', async () => {
    await using service = await start();
    expect((await resetTo(service, 'ｌａｎｔｅｒｎ＿ｈａｒｂｏｒ＿ｍｅａｄｏｗ＿ｃｏｐｐｅｒ')).status).toBe(
      200,
    );
  });
});

async function resetTo(service: RunningService, password: string): Promise<Response> {
  await service.send('/forgotPassword', { body: { email: owner } });
  const mail = (await readOutbox(service)).find(({ kind }) => kind === 'passwordReset');
  return service.send('/resetPassword', { body: { token: mail?.token, password } });
}
