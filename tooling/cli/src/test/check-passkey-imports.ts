import { type FactorAnswer, readAnswer } from '@gatehouse/features/test/factor-world';
import { optionsIn } from '@gatehouse/features/test/passkey-world';
import {
  type AuthenticatorFault,
  type AuthenticatorKey,
  createAuthenticator,
  type SoftwarePasskey,
  type TestDialect,
} from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { type ForeignImportWorld, startForeignImportWorld } from './foreign-import-world.js';

const ORIGIN = 'http://localhost:4000';
const RP_ID = 'localhost';
const HERE = { APP_URL: ORIGIN, BASE_URL: ORIGIN, PASSKEY_ORIGINS: '', PASSKEY_RP_ID: RP_ID };

/** A passkey that was made at the other system, which called its user so. */
function madeThere(
  handle: string,
  more: { isSynced?: boolean; key?: AuthenticatorKey } = {},
): SoftwarePasskey {
  const user = { id: Buffer.from(handle).toString('base64url') };
  return createAuthenticator({ origin: ORIGIN, ...more }).create({
    challenge: 'AA',
    rp: { id: RP_ID },
    user,
  });
}

const linesOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const toBase64 = (text: string) => Buffer.from(text, 'base64url').toString('base64');

type Call = (name: string, body: object) => Promise<FactorAnswer>;

const callerOf =
  ({ service }: Pick<ForeignImportWorld, 'service'>): Call =>
  async (name, body) =>
    readAnswer(await service.send(`/v1/signIn/${name}`, { body }));

async function signIn(call: Call, passkey: SoftwarePasskey, fault: AuthenticatorFault = {}) {
  const { data } = await call('passkeyOptions', {});
  return call('passkey', { flow: data['flow'], response: passkey.use(optionsIn<'use'>(data), fault) });
}

const REFUSED = { status: 401, code: 'invalid_credentials' };

/** What imports guarantee of passkeys, on one database. */
export function checkPasskeyImports(dialect: TestDialect): void {
  it('passkeys of Keycloak sign in the first time, alone or as the second step, as they did there', async () => {
    await using world = await startForeignImportWorld(dialect, HERE);
    const [alone, step, strange] = [
      madeThere('u-1', { isSynced: true }),
      madeThere('u-2'),
      madeThere('u-3', { key: 'ES384' }),
    ];
    const stored = (type: string, { id, publicKey }: SoftwarePasskey) => ({
      type,
      userLabel: 'Blue key',
      createdDate: 1_614_834_367_890,
      secretData: '{}',
      credentialData: JSON.stringify({
        aaguid: '00000000-0000-0000-0000-000000000000',
        credentialId: toBase64(id),
        counter: 1,
        credentialPublicKey: publicKey,
        transports: ['internal', 'carrier-pigeon'],
      }),
    });
    const userOf = (id: string, credential: object) => ({
      id,
      username: id,
      email: `${id}@old.example`,
      emailVerified: true,
      enabled: true,
      credentials: [
        {
          type: 'password',
          secretData: '{"value":"$2b$10$abcdefghijklmnopqrstuuG8Zrn8nGmnqb8kmz0xLEfwkNgk2rVYa","salt":""}',
          credentialData: '{"algorithm":"bcrypt","hashIterations":10}',
        },
        credential,
      ],
    });
    const realm = JSON.stringify({
      users: [
        userOf('u-1', stored('webauthn-passwordless', alone)),
        userOf('u-2', stored('webauthn', step)),
        userOf('u-3', stored('webauthn', strange)),
      ],
    });
    const brought = await world.bring({ 'realm.json': realm }, '--from', 'keycloak');
    expect(brought.counts).toEqual([3, 0, 0, 0]);
    expect(brought.said).toContain('passkeys with keys of other kinds than ES256, EdDSA and RS256');
    const rows = await world.db.select().from(world.db.tables.passkeys);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({
      name: 'Blue key',
      transports: 'internal',
      createdAtMs: 1_614_834_367_890,
    });
    const call = callerOf(world);
    expect(await signIn(call, alone)).toMatchObject({
      status: 200,
      data: { methods: ['passkey'], level: 3 },
    });
    expect(await signIn(call, alone, { userHandle: step.userHandle })).toMatchObject(REFUSED);
    const [, second] = await world.db.select().from(world.db.tables.members);
    expect(second?.secondFactor).toBe(true);
    expect((await signIn(call, step)).status).toBe(200);
    // It is on one device, whose counter tells copies.
    expect(await signIn(call, step, { counter: 1 })).toMatchObject(REFUSED);
    expect(await signIn(call, step)).toMatchObject(REFUSED);
  });

  it('a passkey of Better Auth, which stores no attestation, is accepted once on its own report', async () => {
    await using world = await startForeignImportWorld(dialect, HERE);
    const [synced, single] = [madeThere('random-1', { isSynced: true }), madeThere('random-2')];
    const people = ['u-1', 'u-2'].map((id) => ({
      id,
      name: id,
      email: `${id}@old.example`,
      emailVerified: true,
    }));
    const rowOf = ({ id, publicKey }: SoftwarePasskey, more: object) => ({
      name: null,
      publicKey: toBase64(publicKey),
      credentialID: id,
      counter: 0,
      transports: 'internal,hybrid',
      createdAt: '2024-05-06 07:08:09',
      ...more,
    });
    const files = {
      'user.ndjson': linesOf(people),
      'passkey.ndjson': linesOf([
        rowOf(synced, { userId: 'u-1', deviceType: 'multiDevice', backedUp: 1 }),
        rowOf(single, { userId: 'u-2', deviceType: 'singleDevice', backedUp: 0 }),
      ]),
    };
    expect((await world.bring(files, '--from', 'better-auth', '--dry-run')).counts).toEqual([2, 0, 0, 0]);
    expect((await world.bring(files, '--from', 'better-auth')).counts).toEqual([2, 0, 0, 0]);
    const call = callerOf(world);
    expect(await signIn(call, synced, { backupEligible: false })).toMatchObject(REFUSED);
    expect(await signIn(call, synced, { isForged: true })).toMatchObject(REFUSED);
    expect(await signIn(call, synced, { userHandle: null })).toMatchObject(REFUSED);
    const { data } = await call('passkeyOptions', {});
    const response = synced.use(optionsIn<'use'>(data));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call('passkey', { flow: data['flow'], response })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await signIn(call, synced, { userHandle: single.userHandle })).toMatchObject(REFUSED);
    expect((await signIn(call, single)).status).toBe(200);
    const handles = (await world.db.select().from(world.db.tables.passkeys)).map((row) => row.userHandle);
    expect(handles).toEqual([synced.userHandle, single.userHandle]);
    expect((await world.bring(files, '--from', 'better-auth')).counts).toEqual([0, 2, 0, 0]);
  });

  it('a passkey that a member has is not given to another, and a damaged one is a problem of its line', async () => {
    await using world = await startForeignImportWorld(dialect, HERE);
    const passkey = madeThere('u-1');
    const member = (id: number) => ({
      member: { id, sid: `p${id}@old.example`, username: `p${id}`, role_type: 5 },
    });
    const line = (memberId: number, more: object = {}) => ({
      passkey: { memberId, id: passkey.id, publicKey: passkey.publicKey, rpId: RP_ID, ...more },
    });
    const { publicKey } = passkey;
    const bytes = Buffer.from(publicKey, 'base64url');
    // The coordinates of a point, every bit of which matters.
    const damaged = Array.from({ length: 500 }, (_, at) => {
      const wrong = Buffer.from(bytes);
      const where = 10 + (at % 32);
      wrong[where] = (wrong[where] ?? 0) ^ (1 << (at % 8));
      return line(1, { id: `AA${at}`, publicKey: wrong.toString('base64url') });
    });
    const broken = [publicKey.slice(0, -8), `${publicKey}!`, '', 'pQECAyYg', 'A'.repeat(20_000)].map(
      (wrong) => line(1, { publicKey: wrong }),
    );
    const lines = [member(1), member(2), line(1), line(1), line(2), line(3), ...broken, ...damaged];
    const files = { 'people.ndjson': linesOf(lines) };
    const rehearsed = await world.bring(files, '--dry-run');
    const brought = await world.bring(files);
    expect(rehearsed.counts).toEqual(brought.counts);
    const problems = 2 + broken.length + damaged.length;
    expect(brought.counts).toEqual([3, 1, problems, 0]);
    expect(brought.said).toContain('member 1 has this passkey');
    expect(brought.said).toContain('member 3 is not there');
    expect((await signIn(callerOf(world), passkey)).status).toBe(200);
  });

  it('staff with an unproven address get no connection, authenticator app or passkey, as the dry run says', async () => {
    await using world = await startForeignImportWorld(dialect, HERE);
    const person = (id: number, more: object) => ({
      member: { id, sid: `p${id}@old.example`, username: `p${id}`, role_type: 6, ...more },
    });
    const signIns = (memberId: number) => {
      const { id, publicKey } = madeThere(`u-${memberId}`);
      return [
        { connection: { memberId, provider: 'google', id: `g-${memberId}` } },
        { totp: { memberId, secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' } },
        { passkey: { memberId, id, publicKey, rpId: RP_ID } },
      ];
    };
    const staff = await world.bring({
      'staff.ndjson': linesOf([person(1, { isPersonnel: 1 }), person(2, { isPersonnel: 1 })]),
    });
    expect(staff.counts).toEqual([2, 0, 0, 0]);
    const unproven = linesOf([
      person(3, { isPersonnel: 1, confirmed: 0 }),
      person(4, { isPersonnel: 0, confirmed: 0 }),
      ...[1, 3, 4].flatMap(signIns),
    ]);
    const rehearsed = await world.bring({ 'people.ndjson': unproven }, '--dry-run');
    const brought = await world.bring({ 'people.ndjson': unproven });
    expect(brought.counts).toEqual([8, 0, 3, 0]);
    expect(rehearsed.counts).toEqual(brought.counts);
    for (const { said } of [rehearsed, brought])
      expect(said.match(/line [678]: member 3 is staff, and nobody has proven their address/g)).toHaveLength(
        3,
      );
    const { passkeys, socialConnections, totpFactors } = world.db.tables;
    for (const table of [passkeys, socialConnections, totpFactors]) {
      const rows = await world.db.select({ memberId: table.memberId }).from(table);
      expect(rows.map(({ memberId }) => memberId)).toEqual([1, 4]);
    }
  });
}
