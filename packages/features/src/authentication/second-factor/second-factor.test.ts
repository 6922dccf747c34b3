import { createDataCipher } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { DEMONSTRATION_PASSWORD as PASSWORD } from '@gatehouse/runtime/config/secrets';
import { createAuthenticator } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type FactorWorld, startFactorWorld } from '../../test/factor-world.js';
import { mailSubjects } from '../../test/newest-mails.js';
import { addPasskey, startPasskeyWorld } from '../../test/passkey-world.js';
import { totpResealing } from './factor-codes.js';

const TEN_MINUTES_MS = 600_000;

async function audited(world: FactorWorld, memberId: number): Promise<string[]> {
  const rows = await world.db.select().from(world.db.tables.auditLog);
  return rows
    .filter((line) => line.actorId === memberId && line.action.startsWith('factor.'))
    .map((line) => line.action);
}

async function failures(world: FactorWorld): Promise<{ holder: string; failures: number }[]> {
  const rows = await world.db.select().from(world.db.tables.loginFailures);
  return rows
    .filter((row) => row.failures > 0)
    .map(({ holder, failures: count }) => ({ holder, failures: count }));
}

describe('an authenticator app', () => {
  it('is added by its first code, turns the second step on, and ends the other sessions on every node', async () => {
    await using world = await startFactorWorld();
    const member = await world.member();
    const another = await world.main.send('/webauthenticate', {
      body: { email: member.email, password: PASSWORD },
    });
    const { token: other } = (await another.json()) as { token: string };
    expect((await world.other.send('/auth/me', { token: other })).status).toBe(200);
    const begun = await world.call('totp.start', {}, { token: member.token });
    expect(begun.data).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/) as string,
      uri: expect.stringContaining('otpauth://totp/') as string,
      qr: expect.stringMatching(/^<svg/) as string,
    });
    const enrolled = await world.enrol(member);
    expect(enrolled.backupCodes).toHaveLength(10);
    for (const node of [world.main, world.other]) {
      expect((await node.send('/auth/me', { token: other })).status).toBe(401);
      expect((await node.send('/auth/me', { token: member.token })).status).toBe(200);
    }
    const listed = await world.call('factor.list', {}, { token: member.token, query: true });
    expect(listed.data).toEqual({
      secondFactor: true,
      email: false,
      totp: { confirmedAt: expect.any(String) as string },
      passkeys: 0,
      backupCodesLeft: 10,
      requiredBy: null,
      needsProof: false,
      recovery: null,
    });
    expect(await mailSubjects(world.main, member.email)).toEqual([
      'A new device signed in',
      'An authenticator app was added',
    ]);
    expect(await audited(world, member.id)).toEqual(['factor.totp-added']);
    const { sessions, totpFactors } = world.db.tables;
    const kept = (await world.db.select().from(sessions)).find((row) => row.tokenKey === member.tokenKey);
    expect(kept).toMatchObject({ level: 2, verifiedLevel: 2, amr: 'pwd totp' });
    const [stored] = await world.db.select().from(totpFactors);
    expect(stored?.secret).not.toContain(String(begun.data['secret']));
  });

  it('ends tokens without a session row too, and gives the caller’s own token a row', async () => {
    await using world = await startFactorWorld();
    const rowless = await world.member({ withSession: false });
    await world.enrol(rowless);
    expect((await world.main.send('/auth/me', { token: rowless.token })).status).toBe(200);
    const second = await world.member({ withSession: false });
    const older = await second.signInAgain();
    world.wait(2000);
    const { token } = (await (
      await world.main.send('/webauthenticate', { body: { email: second.email, password: PASSWORD } })
    ).json()) as { token: string };
    await world.enrol({ ...second, token });
    expect((await world.other.send('/auth/me', { token: older })).status).toBe(401);
  });

  it('is not added by a wrong code, after ten minutes, or without having been begun', async () => {
    await using world = await startFactorWorld();
    const { token } = await world.member();
    expect((await world.call('totp.confirm', { code: '123456' }, { token })).status).toBe(404);
    const begun = await world.call('totp.start', {}, { token });
    const code = world.wrongCodeFor(String(begun.data['secret']));
    expect((await world.call('totp.confirm', { code: '12345' }, { token })).status).toBe(400);
    const wrong = await world.call('totp.confirm', { code }, { token });
    expect([wrong.status, wrong.code]).toEqual([401, 'invalid_credentials']);
    world.wait(TEN_MINUTES_MS + 60_000);
    expect((await world.call('totp.confirm', { code }, { token })).status).toBe(404);
    expect((await world.call('totp.start', {}, { token })).code).toBe('verification_required');
  });

  it('is replaced without a gap, and the old secret is no longer accepted', async () => {
    await using world = await startFactorWorld();
    const old = await world.enrolled();
    const now = await world.enrol(old);
    expect(now.backupCodes).toEqual([]);
    const attempt = async (code: string) =>
      world.call('signIn.step', { challenge: (await world.signIn(old)).challenge, code });
    expect((await attempt(old.code())).status).toBe(401);
    expect((await attempt(now.code())).status).toBe(200);
  });

  it('is removed only if another second step remains or none is required', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const { token } = member;
    const remove = () => world.call('totp.remove', {}, { token });
    expect((await remove()).code).toBe('last_factor');
    await world.call('factor.switch', { secondFactor: true, email: true }, { token });
    const older = await world.signIn(member);
    const { data } = await world.call('signIn.step', { challenge: older.challenge, code: member.code() });
    expect((await remove()).status).toBe(200);
    expect((await world.other.send('/auth/me', { token: String(data['token']) })).status).toBe(401);
    expect((await world.signIn(member)).methods).toEqual(['email', 'backupCode']);
    const off = { secondFactor: true, email: false };
    expect((await world.call('factor.switch', off, { token })).code).toBe('last_factor');
    expect((await world.call('factor.switch', { secondFactor: false }, { token })).status).toBe(200);
    expect((await world.signIn(member)).status).toBe(200);
    expect((await remove()).status).toBe(404);
  });

  it('requires a proof of the mailbox from staff, and from members who have not proven theirs', async () => {
    await using world = await startFactorWorld();
    const { members } = world.db.tables;
    const staff = await world.member({ isPersonnel: true, roleType: 6 });
    const unproven = await world.member();
    await changeAccess(world.db, { members: [unproven.id] }, (tx) =>
      tx.write(tx.update(members).set({ ownerProvenAtMs: null })),
    );
    const needsProof = async ({ token }: { readonly token: string }) =>
      (await world.call('factor.list', {}, { token, query: true })).data['needsProof'];
    expect(await needsProof(await world.member())).toBe(false);
    for (const who of [staff, unproven]) {
      expect(await needsProof(who)).toBe(true);
      await expect(world.enrol(who)).rejects.toThrow('proof_required');
      await expect(world.enrol(who, { emailCode: '12345678' })).rejects.toThrow('proof_required');
      expect((await world.call('verification.sendEmail', {}, { token: who.token })).status).toBe(200);
      const emailCode = await world.mailedCode(who.email);
      expect((await world.enrol(who, { emailCode })).backupCodes).toHaveLength(10);
      expect(await needsProof(who)).toBe(false);
    }
  });

  it('accepts no right code from staff without the proof, and records a wrong proof', async () => {
    await using world = await startFactorWorld();
    const staff = await world.member({ isPersonnel: true, roleType: 6 });
    const { token } = staff;
    const { data } = await world.call('totp.start', {}, { token });
    const code = world.codeFor(String(data['secret']));
    for (let tries = 0; tries < 25; tries += 1)
      expect((await world.call('totp.confirm', { code }, { token })).code).toBe('proof_required');
    expect(await failures(world)).toEqual([]);
    await world.call('verification.sendEmail', {}, { token });
    const mailed = await world.mailedCode(staff.email);
    const wrong = { code, proof: { emailCode: mailed === '00000000' ? '11111111' : '00000000' } };
    expect((await world.call('totp.confirm', wrong, { token })).code).toBe('proof_required');
    expect(await failures(world)).toEqual([{ holder: `emailCode:${staff.id}`, failures: 1 }]);
    const { securityEvents } = world.db.tables;
    const refused = (await world.db.select().from(securityEvents)).filter(
      ({ memberId, outcome }) => memberId === staff.id && outcome === 'failed',
    );
    expect(refused).toHaveLength(1);
    const right = { code, proof: { emailCode: mailed } };
    expect((await world.call('totp.confirm', right, { token })).status).toBe(200);
    expect(await failures(world)).toEqual([]);
  });

  it('is closed to sessions that a partner began', async () => {
    await using world = await startFactorWorld();
    const { id } = await world.member();
    const login = { type: 'partnerLogin', role: null, defaultPaymentId: null } as const;
    const sealed = world.main.services.tokens.sealOneUse(
      { userId: id, accountIds: [], partnerId: null, ...login },
      300,
    );
    const { data } = await world.call('signIn.token', { token: sealed.token });
    const token = String(data['token']);
    for (const name of ['totp.start', 'totp.remove', 'factor.newBackupCodes'])
      expect([name, (await world.call(name, {}, { token })).code]).toEqual([name, 'permission_denied']);
  });

  it('survives a rotation of the data key, and so do backup codes', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const { services } = world.main;
    const key = Buffer.alloc(32, 7).toString('base64');
    const previous = [services.config.DATA_ENCRYPTION_KEY];
    const cipher = createDataCipher({ key, previous });
    const config = { ...services.config, DATA_ENCRYPTION_KEY_PREVIOUS: previous };
    const rotated = { ...services, cipher, config };
    expect(await totpResealing.run(rotated)).toBe(1);
    expect(await totpResealing.run(rotated)).toBe(0);
    const [stored] = await world.db.select().from(world.db.tables.totpFactors);
    expect(cipher.isCurrent(stored?.secret ?? '')).toBe(true);
    const digests = cipher.digests(
      (member.backupCodes[0] ?? '').replaceAll('-', ''),
      `backupCode:${member.id}`,
    );
    const codes = await world.db.select().from(world.db.tables.backupCodes);
    expect(codes.some(({ digest }) => digest === digests[0])).toBe(false);
    expect(codes.some(({ digest }) => digest === digests[1])).toBe(true);
  });
});

describe('the switch for sign-in in two steps', () => {
  it('requires a second step, which for staff is never a mail', async () => {
    await using world = await startFactorWorld();
    const member = await world.member();
    const staff = await world.member({ isPersonnel: true, roleType: 6 });
    const turn = (token: string, input: object) => world.call('factor.switch', input, { token });
    expect((await turn(member.token, { secondFactor: true })).code).toBe('enrolment_required');
    expect((await turn(staff.token, { secondFactor: true, email: true })).code).toBe('enrolment_required');
    expect((await world.call('factor.newBackupCodes', {}, { token: member.token })).code).toBe(
      'enrolment_required',
    );
    const on = await turn(member.token, { secondFactor: true, email: true });
    expect(on.data['backupCodes']).toHaveLength(10);
    expect(await mailSubjects(world.main, member.email)).toEqual(['Two-step sign-in is on']);
    const again = await world.call('factor.newBackupCodes', {}, { token: member.token });
    expect(again.data['backupCodes']).toHaveLength(10);
    const { challenge } = await world.signIn(member);
    const [old = ''] = on.data['backupCodes'] as string[];
    expect((await world.call('signIn.step', { challenge, backupCode: old })).status).toBe(401);
  });

  it('stops a sign-in whose first factor was checked before the switch was turned on, in any order', async () => {
    await using world = await startFactorWorld();
    const member = await world.member();
    const body = { email: member.email, password: PASSWORD };
    const answers: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const [login] = await Promise.all([
        world.other.send('/webauthenticate', { body }),
        world.call('factor.switch', { secondFactor: true, email: true }, { token: member.token }),
      ]);
      const { token = '' } = (await login.json()) as { token?: string };
      answers.push((await world.main.send('/auth/me', { token })).status);
      await world.call('factor.switch', { secondFactor: false }, { token: member.token });
    }
    expect(answers).toEqual([401, 401, 401, 401]);
  });
});

describe('a repeated verification', () => {
  it('requires level 2 of members who sign in in two steps, and only a code reaches it', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const { token } = member;
    const risky = () => world.call('social.connect', { provider: 'google' }, { token });
    expect((await risky()).status).not.toBe(403);
    world.wait(TEN_MINUTES_MS);
    const refused = await risky();
    expect([refused.status, refused.body]).toMatchObject([
      403,
      {
        error: {
          code: 'verification_required',
          verification: { level: 2, maxAgeSeconds: 600, methods: ['totp', 'backupCode'] },
        },
      },
    ]);
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", max_age=600',
    );
    const options = await world.call('verification.options', {}, { token, query: true });
    expect(options.data).toEqual({ level: 2, methods: ['totp', 'backupCode'] });
    const prove = (sent: object) => world.call('verification.prove', sent, { token });
    expect((await prove({ password: PASSWORD })).data['level']).toBe(1);
    expect((await risky()).status).toBe(403);
    await world.call('verification.sendEmail', {}, { token });
    const mailed = await prove({ emailCode: await world.mailedCode(member.email) });
    expect(mailed.data['level']).toBe(1);
    expect((await risky()).status).toBe(403);
    const code = member.code();
    const { data } = await prove({ code });
    expect(data).toEqual({ level: 2, verifiedUntil: new Date(world.nowMs() + TEN_MINUTES_MS).toISOString() });
    world.wait(60_000);
    // The session stays verified at level 2, as long as it was.
    expect((await prove({ password: PASSWORD })).data).toEqual({ ...data, level: 1 });
    for (const on of [world.main, world.other]) {
      const done = await world.call('social.connect', { provider: 'google' }, { token, on });
      expect(done.code).not.toBe('verification_required');
    }
    expect((await prove({ code })).status).toBe(401);
    expect((await prove({ backupCode: member.backupCodes[0] })).data['level']).toBe(2);
    expect((await prove({})).status).toBe(400);
    expect((await prove({ code, password: PASSWORD })).status).toBe(400);
  });

  it('succeeds with a backup code when passkeys cannot be used and mail is not the step', async () => {
    await using world = await startPasskeyWorld();
    const { members, passkeys } = world.db.tables;
    const member = await world.member();
    const { token } = member;
    const { answer } = await addPasskey(
      world,
      member,
      createAuthenticator({ origin: 'http://localhost:4000' }),
    );
    const [backupCode] = answer.body['backupCodes'] as string[];
    await world.call('factor.switch', { secondFactor: true }, { token });
    const change = (emailStep: boolean, rpId: string) =>
      changeAccess(world.db, { members: [member.id] }, async (tx) => {
        await tx.write(tx.update(members).set({ emailStep }));
        await tx.write(tx.update(passkeys).set({ rpId }));
      });
    await change(false, 'elsewhere.test');
    world.wait(TEN_MINUTES_MS);
    const prove = (sent: object) => world.call('verification.prove', sent, { token });
    const options = async () => (await world.call('verification.options', {}, { token, query: true })).data;
    const risky = async () => (await world.call('passkey.addOptions', {}, { token })).code;
    expect(await options()).toEqual({ level: 2, methods: ['backupCode'] });
    expect((await prove({ password: PASSWORD })).data['level']).toBe(1);
    expect(await risky()).toBe('verification_required');
    expect((await prove({ backupCode })).data['level']).toBe(2);
    expect(await risky()).toBeUndefined();
    world.wait(TEN_MINUTES_MS);
    await change(true, 'elsewhere.test');
    expect(await options()).toEqual({ level: 1, methods: ['email', 'backupCode'] });
    expect((await prove({ password: PASSWORD })).code).toBe('verification_required');
    expect(await risky()).toBe('verification_required');
    await world.call('verification.sendEmail', {}, { token });
    await prove({ emailCode: await world.mailedCode(member.email) });
    expect(await risky()).toBeUndefined();
    await change(true, 'localhost');
    expect(await risky()).toBe('verification_required');
  });

  it('does not succeed with the password alone when a mailed code is the step', async () => {
    await using world = await startFactorWorld();
    const { token, email } = await world.member();
    const on = { secondFactor: true, email: true };
    const switched = await world.call('factor.switch', on, { token });
    const [backupCode] = switched.data['backupCodes'] as string[];
    const prove = (sent: object) => world.call('verification.prove', sent, { token });
    const off = async () => (await world.call('factor.switch', { secondFactor: false }, { token })).status;
    world.wait(2 * TEN_MINUTES_MS);
    for (const password of [PASSWORD, 'Wrong-Harbor-42']) {
      const refused = await prove({ password });
      expect([refused.status, refused.code]).toEqual([403, 'verification_required']);
      expect(refused.body['error']).toMatchObject({
        verification: { level: 1, maxAgeSeconds: 600, methods: ['email', 'backupCode'] },
      });
    }
    expect(await off()).toBe(403);
    await world.call('verification.sendEmail', {}, { token });
    expect((await prove({ emailCode: await world.mailedCode(email) })).data['level']).toBe(1);
    world.wait(TEN_MINUTES_MS / 2);
    expect((await prove({ backupCode })).data['level']).toBe(2);
    world.wait(TEN_MINUTES_MS / 2);
    expect(await off()).toBe(200);
    expect((await prove({ password: PASSWORD })).status).toBe(200);
  });

  it('by mail does not free a locked app', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const { token } = member;
    const prove = (sent: object) => world.call('verification.prove', sent, { token });
    const { loginFailures } = world.db.tables;
    expect((await prove({ code: member.wrongCode() })).status).toBe(401);
    await world.db.write(world.db.update(loginFailures).set({ failures: 100 }));
    await world.call('verification.sendEmail', {}, { token });
    expect((await prove({ emailCode: await world.mailedCode(member.email) })).status).toBe(200);
    expect((await prove({ code: member.code() })).status).toBe(429);
    expect((await prove({ backupCode: member.backupCodes[0] })).status).toBe(200);
    expect((await prove({ code: member.code() })).status).toBe(200);
  });

  it('changes nothing for members who sign in in one step', async () => {
    await using world = await startFactorWorld();
    const { token } = await world.member();
    world.wait(TEN_MINUTES_MS);
    const answer = await world.call('social.remove', { connectionId: 1 }, { token });
    expect(answer.code).toBe('not_found');
  });

  it('by mail is accepted only in the requesting session, once, for ten minutes and five attempts', async () => {
    await using world = await startFactorWorld();
    const member = await world.member();
    const other = await member.signInAgain();
    const prove = (emailCode: string, token = member.token) =>
      world.call('verification.prove', { emailCode }, { token });
    const ask = async () => {
      world.wait(60_000);
      await world.call('verification.sendEmail', {}, { token: member.token });
      return world.mailedCode(member.email);
    };
    const code = await ask();
    expect((await prove(code, other)).status).toBe(401);
    expect((await prove(code)).data['level']).toBe(1);
    expect((await prove(code)).status).toBe(401);
    const late = await ask();
    world.wait(TEN_MINUTES_MS);
    expect((await prove(late)).status).toBe(401);
    const guessed = await ask();
    for (let tries = 0; tries < 5; tries += 1) await prove(guessed === '00000000' ? '11111111' : '00000000');
    expect((await prove(guessed)).status).toBe(401);
  });
});
