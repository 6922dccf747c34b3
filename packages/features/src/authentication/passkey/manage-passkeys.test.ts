// @module-tag slow

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertConnection } from '@gatehouse/db/queries/change-connections';
import { findPasskeyByKey } from '@gatehouse/db/queries/member-passkeys';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import {
  type AuthenticatorFault,
  type AuthenticatorKey,
  cborArray,
  cborBytes,
  createAttestationChain,
  createAuthenticator,
  readOutbox,
} from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import type { ProvenIdentity } from '../../social/proven-identity.js';
import { connectionContent } from '../../social/proven-identity.js';
import { addPasskey, askAndAdd, optionsIn, startPasskeyWorld, usePasskey } from '../../test/passkey-world.js';
import { loadWebAuthn } from './web-authn.js';

const ORIGIN = 'http://localhost:4000';

/** A provider's profile of somebody without an address. */
const identityOf = (providerUserId: string): ProvenIdentity => ({
  providerId: 1,
  profile: {
    providerUserId,
    email: null,
    emailVerified: false,
    displayName: null,
    firstName: null,
    lastName: null,
    username: null,
    pictureUrl: null,
    accounts: {},
  },
  tokens: { accessToken: 'access', refreshToken: null, expiresInSeconds: null, scopes: null },
});

const run = (db: Pick<Database, 'write'>, sql: string, params: unknown[]) =>
  db.write({ toSQL: () => ({ sql, params }) });

describe('adding a passkey', () => {
  it('accepts each pinned algorithm, which then signs in at level 3 without a second step', async () => {
    await using world = await startPasskeyWorld();
    for (const key of ['ES256', 'EdDSA', 'RS256'] satisfies AuthenticatorKey[]) {
      const member = await world.member();
      const device = createAuthenticator({ origin: ORIGIN, key });
      const { passkey, answer } = await addPasskey(world, member, device);
      expect(answer.body).toMatchObject({
        data: { name: expect.any(String), isUsable: true, isSuspect: false, backupEligible: false },
        signals: { rpId: 'localhost', userId: passkey.userHandle, allAcceptedCredentialIds: [passkey.id] },
      });
      expect(answer.body['backupCodes']).toHaveLength(10);
      const signedIn = await usePasskey(world, passkey);
      expect(signedIn.data).toMatchObject({ userId: member.id, level: 3, methods: ['passkey'] });
      const { data } = await world.call(
        'factor.list',
        {},
        { token: String(signedIn.data['token']), query: true },
      );
      expect(data).toMatchObject({ passkeys: 1, secondFactor: false, totp: null });
    }
  });

  it('refuses an algorithm that is not pinned', async () => {
    await using world = await startPasskeyWorld();
    const device = createAuthenticator({ origin: ORIGIN, key: 'ES384' });
    expect(await askAndAdd(world, await world.member(), device)).toMatchObject({ status: 400 });
  });

  it('requests the same options that it verifies', async () => {
    await using world = await startPasskeyWorld();
    const { token } = await world.member();
    const { data } = await world.call('passkey.addOptions', {}, { token });
    expect(data['options']).toMatchObject({
      rp: { id: 'localhost' },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    });
    const { user } = data['options'] as { user: { id: string } };
    expect(Buffer.from(user.id, 'base64url')).toHaveLength(32);
  });

  it('refuses every attestation but none and one without certificates', async () => {
    await using world = await startPasskeyWorld();
    const { token } = await world.member();
    const device = createAuthenticator({ origin: ORIGIN });
    const certificate = cborArray([cborBytes(Buffer.from('no certificate'))]);
    const refused: AuthenticatorFault[] = [
      ...['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'tpm', 'other', ''].map((format) => ({
        format,
        signsItself: true,
        statement: [['x5c', certificate]] as const,
      })),
      { signsItself: true, statement: [['x5c', certificate]] },
      { signsItself: true, statement: [['x5c', cborArray([])]] },
      { statement: [['x5c', certificate]] },
      { format: 'packed' },
    ];
    for (const fault of refused) {
      const answer = await askAndAdd(world, { token }, device, fault);
      expect([fault, answer.status, answer.code]).toEqual([fault, 400, 'invalid_input']);
    }
    expect(await askAndAdd(world, { token }, device, { signsItself: true })).toMatchObject({ status: 200 });
  });

  it('makes no request to an address in a certificate, as the library would', async () => {
    await using world = await startPasskeyWorld();
    const { token } = await world.member();
    const called: (string | undefined)[] = [];
    const stranger = createServer((request, response) => {
      called.push(request.url);
      response.end();
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as AddressInfo;
    const device = createAuthenticator({ origin: ORIGIN });
    const { data } = await world.call('passkey.addOptions', {}, { token });
    const options = optionsIn<'create'>(data);
    const { registration } = device.create(options, {
      format: 'android-key',
      signsItself: true,
      statement: (made) => {
        const chain = createAttestationChain({ ...made, crlUrl: `http://127.0.0.1:${port}/crl` });
        return [['x5c', cborArray(chain.map(cborBytes))]];
      },
    });
    const answer = await world.call('passkey.add', { flow: data['flow'], response: registration }, { token });
    expect([answer.status, answer.code, called]).toEqual([400, 'invalid_input', []]);

    const { server } = await loadWebAuthn();
    const seen = server.verifyRegistrationResponse({
      response: registration as Parameters<typeof server.verifyRegistrationResponse>[0]['response'],
      expectedChallenge: options.challenge,
      expectedOrigin: ORIGIN,
      expectedRPID: 'localhost',
    });
    await expect(seen).rejects.toThrow('x5c root certificate was not a known root certificate');
    expect(called).toEqual(['/crl']);
    await new Promise((resolve) => stranger.close(resolve));
  });

  it.each<[string, AuthenticatorFault]>([
    ['of another origin', { clientData: { origin: 'http://localhost:4001' } }],
    ['of an origin that only begins alike', { clientData: { origin: `${ORIGIN}.example` } }],
    ['for another challenge', { clientData: { challenge: 'AAAA' } }],
    ['that was a use', { clientData: { type: 'webauthn.get' } }],
    ['in a frame of another site', { clientData: { crossOrigin: true } }],
    ['with a top origin', { clientData: { topOrigin: ORIGIN } }],
    ['for another relying party', { rpId: 'example.com' }],
    ['without a user', { isPresent: false }],
    ['without a user verification', { isVerified: false }],
    ['that names another credential', { id: 'AAAA' }],
  ])('refuses a passkey made %s', async (_what, fault) => {
    await using world = await startPasskeyWorld();
    const device = createAuthenticator({ origin: ORIGIN });
    const answer = await askAndAdd(world, await world.member(), device, fault);
    expect([answer.status, answer.code]).toEqual([400, 'invalid_input']);
  });

  it('adds at most twenty, and each credential once', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    const device = createAuthenticator({ origin: ORIGIN });
    const first = await addPasskey(world, member, device);
    for (let more = 1; more < 19; more += 1) await addPasskey(world, member, device);
    const asked = await Promise.all(
      [1, 2].map(() => world.call('passkey.addOptions', {}, { token: member.token })),
    );
    const made = asked.map(({ data }) => ({
      flow: data['flow'],
      response: device.create(optionsIn<'create'>(data)).registration,
    }));
    const both = await Promise.all(
      made.map((input, at) =>
        world.call('passkey.add', input, { token: member.token, on: at === 0 ? world.main : world.other }),
      ),
    );
    expect(new Set(both.map(({ code }) => code))).toEqual(new Set(['too_many_passkeys', undefined]));
    expect(await world.call('passkey.addOptions', {}, { token: member.token })).toMatchObject({
      status: 409,
      code: 'too_many_passkeys',
    });
    const list = await world.call('passkey.list', {}, { token: member.token, query: true });
    expect(list.body['list']).toHaveLength(20);
    const another = await world.member();
    const { data } = await world.call('passkey.addOptions', {}, { token: another.token });
    const input = { flow: data['flow'], response: first.passkey.registration };
    expect(await world.call('passkey.add', input, { token: another.token })).toMatchObject({ status: 400 });
  });

  it('keeps one user id for all passkeys of a member, and refuses a passkey made for another', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    const device = createAuthenticator({ origin: ORIGIN });
    const before = await world.call('passkey.addOptions', {}, { token: member.token });
    const first = await addPasskey(world, member, device);
    const second = await addPasskey(world, member, device);
    expect(second.passkey.userHandle).toBe(first.passkey.userHandle);
    const late = device.create(optionsIn<'create'>(before.data));
    const input = { flow: before.data['flow'], response: late.registration };
    expect(await world.call('passkey.add', input, { token: member.token })).toMatchObject({
      status: 403,
      code: 'invalid_challenge',
    });
  });

  it('lets a browser add one without asking, for five minutes after a password sign-in', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    const device = createAuthenticator({ origin: ORIGIN, isSynced: true });
    const signedIn = await world.signIn(member);
    const token = String(signedIn.data['token']);
    expect(signedIn.data['prompts']).toEqual(['addPasskey']);
    const fault = { isPresent: false, isVerified: false };
    const added = await askAndAdd(world, { token }, device, fault, { auto: true });
    expect([added.status, added.body['backupCodes']]).toEqual([200, undefined]);
    const { data } = await world.call('session.me', {}, { token, query: true });
    expect(JSON.stringify(data)).not.toContain('"level":3');
    world.wait(5 * 60_000);
    expect(await world.call('passkey.addOptions', { auto: true }, { token })).toMatchObject({
      status: 403,
      code: 'verification_required',
    });
    expect((await world.signIn(member)).data['prompts']).toEqual([]);
  });

  it('accepts a proof of the mailbox for the first factor of staff', async () => {
    await using world = await startPasskeyWorld();
    const staff = await world.member({ isPersonnel: true, roleType: 1 });
    const device = createAuthenticator({ origin: ORIGIN });
    expect(await askAndAdd(world, staff, device)).toMatchObject({ status: 403, code: 'proof_required' });
    await world.call('verification.sendEmail', {}, { token: staff.token });
    const emailCode = await world.mailedCode(staff.email);
    expect(await askAndAdd(world, staff, device, {}, {}, { proof: { emailCode } })).toMatchObject({
      status: 200,
    });
  });

  it('verifies the session, and tells the member by mail and in the events', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    world.wait(5 * 60_000);
    await addPasskey(world, member, createAuthenticator({ origin: ORIGIN }));
    world.wait(9 * 60_000);
    expect(await world.call('passkey.addOptions', {}, { token: member.token })).toMatchObject({
      status: 200,
    });
    const rows = await world.db.select().from(world.db.tables.sessions);
    const row = rows.find(({ memberId }) => memberId === member.id);
    expect(row).toMatchObject({ level: 3, verifiedLevel: 3 });
    const mails = await readOutbox(world.main);
    expect(mails.filter(({ to }) => to === member.email).map(({ kind }) => kind)).toContain('factorChanged');
  });
});

describe('signing in with a passkey', () => {
  it.each<[string, AuthenticatorFault]>([
    ['a forged signature', { isForged: true }],
    ['another origin', { clientData: { origin: 'http://localhost:4001' } }],
    ['another challenge', { clientData: { challenge: 'AAAA' } }],
    ['client data of a creation', { clientData: { type: 'webauthn.create' } }],
    ['a frame of another site', { clientData: { crossOrigin: true } }],
    ['a frame that names its top origin', { clientData: { topOrigin: 'https://evil.example' } }],
    ['another relying party', { rpId: 'example.com' }],
    ['no user', { isPresent: false }],
    ['no user verification', { isVerified: false }],
    ['another user handle', { userHandle: Buffer.alloc(32, 1).toString('base64url') }],
    ['no user handle', { userHandle: null }],
    ['an empty user handle', { userHandle: '' }],
    ['another eligibility for backups', { backupEligible: true }],
  ])('refuses %s', async (_what, fault) => {
    await using world = await startPasskeyWorld();
    const { passkey } = await addPasskey(
      world,
      await world.member(),
      createAuthenticator({ origin: ORIGIN }),
    );
    const answer = await usePasskey(world, passkey, { fault });
    expect([answer.status, answer.code]).toEqual([401, 'invalid_credentials']);
    expect((await usePasskey(world, passkey)).status).toBe(200);
  });

  it('refuses a replay, an expired flow, and a flow of another deployment or purpose', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member({ isPersonnel: true, roleType: 0 });
    const { passkey } = await addPasskey(world, member, createAuthenticator({ origin: ORIGIN }), {
      isStaff: true,
    });
    const ask = async (on = world.main) => (await world.call('signIn.passkeyOptions', {}, { on })).data;
    const send = (data: Record<string, unknown>, on = world.main) => {
      const response = passkey.use(optionsIn<'use'>(data));
      return world.call('signIn.passkey', { flow: data['flow'], response }, { on });
    };
    const used = await ask();
    const response = passkey.use(optionsIn<'use'>(used));
    const input = { flow: used['flow'], response };
    expect((await world.call('signIn.passkey', input)).status).toBe(200);
    expect(await world.call('signIn.passkey', input)).toMatchObject({
      status: 403,
      code: 'invalid_challenge',
    });
    expect(await send(await ask(world.admin))).toMatchObject({ status: 403, code: 'invalid_challenge' });
    expect(await send(await ask(), world.admin)).toMatchObject({ status: 403, code: 'invalid_challenge' });
    expect((await send(await ask(world.admin), world.admin)).status).toBe(200);
    const adding = await world.call('passkey.addOptions', {}, { token: member.token });
    expect(await send({ ...(await ask()), flow: adding.data['flow'] })).toMatchObject({
      code: 'invalid_challenge',
    });
    const late = await ask();
    world.wait(15 * 60_000);
    expect(await send(late)).toMatchObject({ status: 403, code: 'invalid_challenge' });
  });

  it('creates one session in fifty concurrent uses of a flow on two nodes', async () => {
    await using world = await startPasskeyWorld();
    for (const isSynced of [false, true]) {
      const device = createAuthenticator({ origin: ORIGIN, isSynced });
      const { passkey } = await addPasskey(world, await world.member(), device);
      const { data } = await world.call('signIn.passkeyOptions', {});
      const response = passkey.use(optionsIn<'use'>(data));
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          world.call(
            'signIn.passkey',
            { flow: data['flow'], response },
            { on: at % 2 ? world.main : world.other },
          ),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 200).map(({ code }) => code);
      expect(new Set(others)).toEqual(new Set(['invalid_challenge']));
      const row = await findPasskeyByKey(world.db, sha256Hex(passkey.id));
      expect(row?.suspectAtMs).toBeNull();
    }
  });

  it('tells the browser to forget a passkey that was removed', async () => {
    await using world = await startPasskeyWorld();
    const device = createAuthenticator({ origin: ORIGIN });
    const member = await world.member();
    const { passkey, answer } = await addPasskey(world, member, device);
    const signals = { rpId: 'localhost', credentialId: passkey.id };
    const removed = await world.call(
      'passkey.remove',
      { passkeyId: answer.data['id'] },
      { token: member.token },
    );
    expect(removed.body['signals']).toMatchObject({ allAcceptedCredentialIds: [] });
    const gone = await usePasskey(world, passkey);
    expect([gone.status, gone.code]).toEqual([401, 'passkey_unknown']);
    expect(gone.body['error']).toMatchObject({ signals });
  });

  it('leaves a passkey in the browser while its deleted or banned member can come back, and accepts it again then', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    const { passkey } = await addPasskey(world, member, createAuthenticator({ origin: ORIGIN }));
    const { id: memberId, email, token } = member;
    const staff = { token: (await world.member({ isPersonnel: true, roleType: 0 })).token, on: world.admin };
    const restore = async () => {
      const [mail] = (await readOutbox(world.main)).filter(({ to }) => to === email);
      const link = /token=([^\s&]+)/.exec(mail?.text ?? '')?.[1] ?? '';
      const input = { token: decodeURIComponent(link), password: DEMONSTRATION_PASSWORD };
      return world.call('member.restoreOwn', input);
    };
    const asStaff = (name: string, input: object = {}) =>
      world.call(name, { memberId, reason: 'A reason', ...input }, staff);
    for (const [leave, comeBack] of [
      [() => world.call('member.deleteOwn', {}, { token }), restore],
      [
        () => world.admin.send('/deleteUser', { token: staff.token, body: { userId: memberId } }),
        () => asStaff('member.restore'),
      ],
      [() => asStaff('member.ban'), () => asStaff('member.unban')],
    ] as const) {
      expect((await leave()).status).toBe(200);
      const refused = await usePasskey(world, passkey);
      expect([refused.status, refused.code]).toEqual([401, 'invalid_credentials']);
      expect(JSON.stringify(refused.body)).not.toContain('signals');
      const back = await comeBack();
      expect(back).toMatchObject({ status: 200 });
      expect((await usePasskey(world, passkey)).status).toBe(200);
    }
  });

  it('refuses and reports a clone of a passkey on one device, while a synced passkey may have copies', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    const { passkey } = await addPasskey(world, member, createAuthenticator({ origin: ORIGIN }));
    const clone = passkey.copy();
    expect((await usePasskey(world, passkey)).status).toBe(200);
    world.wait(1000);
    expect((await usePasskey(world, passkey)).status).toBe(200);
    world.wait(1000);
    expect(await usePasskey(world, clone)).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(await findPasskeyByKey(world.db, sha256Hex(passkey.id))).toMatchObject({
      suspectAtMs: world.nowMs(),
    });
    expect(await usePasskey(world, passkey)).toMatchObject({ status: 401, code: 'invalid_credentials' });
    const list = await world.call('passkey.list', {}, { token: member.token, query: true });
    expect(list.body).toMatchObject({
      list: [{ isSuspect: true, isUsable: false }],
      signals: { allAcceptedCredentialIds: [] },
    });
    const mails = await readOutbox(world.main);
    expect(mails.filter(({ to, subject }) => to === member.email && /locked/.test(subject))).toHaveLength(1);

    const synced = await addPasskey(
      world,
      await world.member(),
      createAuthenticator({ origin: ORIGIN, isSynced: true, counts: true }),
    );
    const copy = synced.passkey.copy();
    for (let use = 0; use < 3; use += 1) expect((await usePasskey(world, synced.passkey)).status).toBe(200);
    world.wait(1000);
    expect((await usePasskey(world, copy)).status).toBe(200);
    expect(await findPasskeyByKey(world.db, sha256Hex(copy.id))).toMatchObject({
      counter: 4,
      suspectAtMs: null,
    });
  });

  it('refuses a use that arrives after a later one, and does not mark the passkey as cloned', async () => {
    await using world = await startPasskeyWorld();
    const { passkey } = await addPasskey(
      world,
      await world.member(),
      createAuthenticator({ origin: ORIGIN }),
    );
    const { data: first } = await world.call('signIn.passkeyOptions', {});
    const early = passkey.use(optionsIn<'use'>(first));
    world.wait(1000);
    expect((await usePasskey(world, passkey)).status).toBe(200);
    const late = await world.call('signIn.passkey', { flow: first['flow'], response: early });
    expect(late).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect((await usePasskey(world, passkey)).status).toBe(200);
  });

  it('accepts an authenticator without a counter every time', async () => {
    await using world = await startPasskeyWorld();
    const device = createAuthenticator({ origin: ORIGIN, counts: false });
    const { passkey } = await addPasskey(world, await world.member(), device);
    for (let use = 0; use < 3; use += 1) expect((await usePasskey(world, passkey)).status).toBe(200);
  });

  it('checks the counter after the signature, so that a forged use marks no passkey as cloned', async () => {
    await using world = await startPasskeyWorld();
    const { passkey } = await addPasskey(
      world,
      await world.member(),
      createAuthenticator({ origin: ORIGIN }),
    );
    expect((await usePasskey(world, passkey)).status).toBe(200);
    world.wait(1000);
    const forged = await usePasskey(world, passkey, { fault: { counter: 0, isForged: true } });
    expect(forged).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect((await usePasskey(world, passkey)).status).toBe(200);
  });

  it('refuses responses that are too large before any other check', async () => {
    await using world = await startPasskeyWorld();
    const { passkey } = await addPasskey(
      world,
      await world.member(),
      createAuthenticator({ origin: ORIGIN }),
    );
    const { data } = await world.call('signIn.passkeyOptions', {});
    const response = passkey.use(optionsIn<'use'>(data)) as { response: object };
    for (const wrong of [
      { ...response, id: 'A'.repeat(1_365) },
      { ...response, response: { ...response.response, signature: 'A'.repeat(16_400) } },
      { ...response, response: { ...response.response, signature: 'not base64url!' } },
      { ...response, type: 'password' },
    ])
      expect(await world.call('signIn.passkey', { flow: data['flow'], response: wrong })).toMatchObject({
        status: 400,
      });
  });

  it('limits how many sign-ins one address begins', async () => {
    await using world = await startPasskeyWorld({ FLOWS_PER_ADDRESS: '3' });
    for (let times = 0; times < 3; times += 1)
      expect((await world.call('signIn.passkeyOptions', {})).status).toBe(200);
    expect(await world.call('signIn.passkeyOptions', {})).toMatchObject({
      status: 429,
      code: 'rate_limited',
    });
  });

  it('is unavailable on an IP address', async () => {
    await using world = await startPasskeyWorld({ APP_URL: 'http://127.0.0.1:4000' });
    const { token } = await world.member();
    for (const answer of [
      await world.call('signIn.passkeyOptions', {}),
      await world.call('passkey.addOptions', {}, { token }),
      await world.call('passkey.list', {}, { token, query: true }),
    ])
      expect([answer.status, answer.code]).toEqual([404, 'passkeys_not_configured']);
    expect((await world.signIn(await world.member())).data['prompts']).toEqual([]);
  });
});

describe('a passkey as second step and as verification', () => {
  it('is requested when the switch is on, and raises the session to level 3', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    const { passkey } = await addPasskey(world, member, createAuthenticator({ origin: ORIGIN }));
    expect((await world.signIn(member)).status).toBe(200);
    expect(await world.call('factor.switch', { secondFactor: true }, { token: member.token })).toMatchObject({
      status: 200,
    });
    const challenged = await world.signIn(member);
    expect(challenged).toMatchObject({ code: 'second_factor_required', methods: ['passkey', 'backupCode'] });
    const { challenge } = challenged;
    const { data } = await world.call('signIn.stepOptions', { challenge });
    expect(data['options']).toMatchObject({ allowCredentials: [{ id: passkey.id }] });
    // As authenticators report that they have none: here it is already known whose passkey is requested.
    const response = passkey.use(optionsIn<'use'>(data), { userHandle: '' });
    const foreign = (await addPasskey(world, await world.member(), createAuthenticator({ origin: ORIGIN })))
      .passkey;
    const wrong = foreign.use(optionsIn<'use'>(data));
    expect(await world.call('signIn.step', { challenge, flow: data['flow'], response: wrong })).toMatchObject(
      {
        status: 401,
        code: 'invalid_credentials',
      },
    );
    expect(await world.call('signIn.step', { challenge, flow: data['flow'] })).toMatchObject({ status: 400 });
    const elsewhere = (await world.call('signIn.passkeyOptions', {})).data;
    expect(await world.call('signIn.step', { challenge, flow: elsewhere['flow'], response })).toMatchObject({
      status: 403,
      code: 'invalid_challenge',
    });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        world.call(
          'signIn.step',
          { challenge, flow: data['flow'], response },
          { on: at % 2 ? world.main : world.other },
        ),
      ),
    );
    const [stepped, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(stepped?.data).toMatchObject({ level: 3, methods: ['pwd', 'passkey'] });
    expect((await usePasskey(world, passkey)).data).toMatchObject({ level: 3, methods: ['passkey'] });
  });

  it('verifies a session again at level 3', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    const { passkey } = await addPasskey(world, member, createAuthenticator({ origin: ORIGIN }));
    await world.call('factor.switch', { secondFactor: true }, { token: member.token });
    world.wait(11 * 60_000);
    const { token } = member;
    const refused = await world.call('passkey.addOptions', {}, { token });
    expect(refused.body['error']).toMatchObject({
      code: 'verification_required',
      verification: { level: 2, methods: ['passkey', 'backupCode'] },
    });
    expect(await world.call('verification.prove', { password: 'wrong' }, { token })).toMatchObject({
      status: 401,
    });
    const { data } = await world.call('verification.options', {}, { token, query: true });
    expect(data).toMatchObject({ level: 2, methods: ['passkey', 'backupCode'] });
    const used = passkey.use(optionsIn<'use'>(data)) as { response: object };
    const withHandle = (userHandle: unknown) => {
      const response = { ...used, response: { ...used.response, userHandle } };
      return { flow: data['flow'], response };
    };
    const foreign = (await world.member()).id;
    for (const wrong of [foreign, true, [], 'no handle'])
      expect(await world.call('verification.prove', withHandle(wrong), { token })).toMatchObject({
        status: 400,
      });
    const otherHandle = withHandle(Buffer.alloc(32, 1).toString('base64url'));
    expect(await world.call('verification.prove', otherHandle, { token })).toMatchObject({ status: 401 });
    // The value with which programs say that there is none.
    const input = withHandle(null);
    expect((await world.call('verification.prove', input, { token })).data).toMatchObject({ level: 3 });
    expect(await world.call('verification.prove', input, { token })).toMatchObject({
      code: 'invalid_challenge',
    });
    expect((await world.call('passkey.addOptions', {}, { token })).status).toBe(200);
  });
});

describe('removing factors', () => {
  it('keeps one of the last two factors when both are removed concurrently', async () => {
    await using world = await startPasskeyWorld();
    for (let round = 0; round < 5; round += 1) {
      const member = await world.enrolled();
      const { answer } = await addPasskey(world, member, createAuthenticator({ origin: ORIGIN }));
      const { token } = member;
      const both = await Promise.all([
        world.call('passkey.remove', { passkeyId: answer.data['id'] }, { token }),
        world.call('totp.remove', {}, { token, on: world.other }),
      ]);
      const outcomes = new Set(both.map(({ status, code = '' }) => `${status} ${code}`));
      expect(outcomes).toEqual(new Set(['200 ', '409 last_factor']));
      const { data } = await world.call('factor.list', {}, { token, query: true });
      expect([data['passkeys'] === 1, data['totp'] !== null].filter(Boolean)).toHaveLength(1);
    }
  });

  it('keeps the last sign-in method of a member without an address, and counts passkeys for connections', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    const { answer } = await addPasskey(world, member, createAuthenticator({ origin: ORIGIN }));
    await changeAccess(world.db, { members: [member.id] }, async (tx) => {
      await run(tx, 'update members set email = null, email_key = null, has_password = ? where id = ?', [
        0,
        member.id,
      ]);
    });
    const { token } = member;
    const remove = () => world.call('passkey.remove', { passkeyId: answer.data['id'] }, { token });
    expect(await remove()).toMatchObject({ status: 409, code: 'last_factor' });
    const nowMs = world.nowMs();
    const connect = (providerUserId: string) =>
      insertConnection(world.db, {
        memberId: member.id,
        providerId: 1,
        providerUserId,
        nowMs,
        ...connectionContent({ cipher: world.main.services.cipher, nowMs }, identityOf(providerUserId)),
      });
    const connectionId = await connect('first');
    expect((await world.call('social.remove', { connectionId }, { token })).status).toBe(200);
    const other = await connect('second');
    expect((await remove()).status).toBe(200);
    expect(await world.call('social.remove', { connectionId: other }, { token })).toMatchObject({
      status: 409,
      code: 'last_connection',
    });
  });

  it('ends the other sessions, on the other node too', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    const { passkey, answer } = await addPasskey(world, member, createAuthenticator({ origin: ORIGIN }));
    const signedIn = await usePasskey(world, passkey, { on: world.other });
    const token = String(signedIn.data['token']);
    expect((await world.call('session.me', {}, { token, query: true, on: world.other })).status).toBe(200);
    const { token: kept } = member;
    expect(
      (await world.call('passkey.remove', { passkeyId: answer.data['id'] }, { token: kept })).status,
    ).toBe(200);
    expect((await world.call('session.me', {}, { token, query: true, on: world.other })).status).toBe(401);
    expect((await world.call('session.me', {}, { token: kept, query: true })).status).toBe(200);
  });

  it('renames and removes only the caller’s own passkeys', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    const { answer } = await addPasskey(world, member, createAuthenticator({ origin: ORIGIN }));
    const passkeyId = answer.data['id'];
    const { token } = member;
    const renamed = await world.call('passkey.rename', { passkeyId, name: ' My phone ' }, { token });
    expect(renamed.data).toMatchObject({ id: passkeyId, name: 'My phone' });
    for (const name of ['', ' ', '\u200b', 'x'.repeat(65)])
      expect((await world.call('passkey.rename', { passkeyId, name }, { token })).status).toBe(400);
    const other = { token: (await world.member()).token };
    for (const [name, input] of [
      ['passkey.rename', { passkeyId, name: 'Mine' }],
      ['passkey.remove', { passkeyId }],
    ] as const)
      expect(await world.call(name, input, other)).toMatchObject({ status: 404, code: 'not_found' });
  });
});
