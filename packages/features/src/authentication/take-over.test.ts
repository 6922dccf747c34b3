import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import { consumePendingAddress, setPendingAddress } from '@gatehouse/db/queries/pending-addresses';
import { createAuthenticator, readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import type { FactorWorld } from '../test/factor-world.js';
import { addPasskey, startPasskeyWorld, usePasskey } from '../test/passkey-world.js';

const VICTIM = 'victim@example.com';
const NEW_PASSWORD = 'a quite new passphrase';

/** A member without an address who added a passkey, and to whom the owner of an address then confirmed theirs. */
async function plant(world: FactorWorld) {
  const member = await world.member();
  const { db } = world;
  const { members } = db.tables;
  await changeAccess(db, { members: [member.id] }, (tx) =>
    tx.write(tx.update(members).set({ email: null, emailKey: null, ownerProvenAtMs: null })),
  );
  const device = createAuthenticator({ origin: 'http://localhost:4000' });
  const { passkey } = await addPasskey(world, member, device);
  expect((await world.call('totp.start', {}, { token: member.token })).status).toBe(200);
  await moveToVictim(world, member.id);
  return { member, passkey };
}

const moveToVictim = ({ db, nowMs }: FactorWorld, memberId: number) =>
  changeAccess(db, { members: [memberId] }, async (tx) => {
    const address = { memberId, emailKey: VICTIM, nowMs: nowMs() };
    await setPendingAddress(tx, { ...address, email: VICTIM, awaits: 'new' });
    expect(await consumePendingAddress(tx, address)).toBe(true);
  });

/** A member to whom the owner of an address confirmed theirs by a click. */
async function confirmedByAnother(world: FactorWorld) {
  const member = await world.member();
  await moveToVictim(world, member.id);
  return member;
}

const newestTo = async (world: FactorWorld, kind: string) =>
  (await readOutbox(world.main)).find((mail) => mail.kind === kind && mail.to === VICTIM);

const takeOvers = {
  async 'signs in by mail'(world: FactorWorld) {
    const asked = await world.call('signIn.requestEmail', { email: VICTIM });
    const text = (await newestTo(world, 'signInCode'))?.text ?? '';
    const code = /\b(\d{8})\b/.exec(text)?.[1] ?? '';
    const answer = await world.call('signIn.email', { flow: asked.data['flow'], code });
    expect([answer.status, answer.data['level']]).toEqual([200, 1]);
    const { data } = await world.call(
      'factor.list',
      {},
      { token: String(answer.data['token']), query: true },
    );
    expect(data).toMatchObject({ passkeys: 0, totp: null, backupCodesLeft: 0 });
  },
  async 'resets the password'(world: FactorWorld) {
    await world.main.send('/forgotPassword', { body: { email: VICTIM } });
    const token = (await newestTo(world, 'passwordReset'))?.token;
    const body = { token, password: NEW_PASSWORD };
    expect((await world.main.send('/resetPassword', { body })).status).toBe(200);
  },
};

describe("the factors of a person who registered another's address", () => {
  it.each(Object.entries(takeOvers))(
    'end, on every node, once the owner of the address %s',
    async (_what, takeOver) => {
      await using world = await startPasskeyWorld();
      const { db } = world;
      const { member, passkey } = await plant(world);
      const before = await usePasskey(world, passkey, { on: world.other });
      expect([before.status, before.data['level']]).toEqual([200, 3]);
      await takeOver(world);
      for (const on of [world.main, world.other]) {
        const refused = await usePasskey(world, passkey, { on });
        expect([refused.status, refused.code]).toEqual([401, 'passkey_unknown']);
        const old = String(before.data['token']);
        expect((await world.call('session.me', {}, { token: old, on, query: true })).status).toBe(401);
      }
      for (const table of [db.tables.passkeys, db.tables.totpFactors, db.tables.backupCodes])
        expect(await db.select().from(table)).toEqual([]);
      const lines = await db.select().from(db.tables.auditLog);
      const told = lines.filter(({ after }) => JSON.stringify(after).includes('"removedFactors":2'));
      expect(told.map(({ subjectId }) => Number(subjectId))).toEqual([member.id]);
    },
  );

  it.each(Object.entries(takeOvers))(
    'cannot include a mailed step, whose backup codes would outlive it, until the owner %s',
    async (_what, takeOver) => {
      await using world = await startPasskeyWorld();
      const { db } = world;
      const { id, token } = await confirmedByAnother(world);
      const refused = await world.call('factor.switch', { secondFactor: true, email: true }, { token });
      expect([refused.status, refused.code]).toEqual([403, 'proof_required']);
      await takeOver(world);
      expect(await db.select().from(db.tables.backupCodes)).toEqual([]);
      expect(await findMemberFactors(db, id)).toMatchObject({ secondFactor: false, emailStep: false });
    },
  );
});

it('ends the backup codes of a mailed step that moved with the address, once its owner resets the password', async () => {
  await using world = await startPasskeyWorld();
  const { id, token } = await world.member();
  const on = await world.call('factor.switch', { secondFactor: true, email: true }, { token });
  const [planted = ''] = on.data['backupCodes'] as string[];
  await moveToVictim(world, id);
  await takeOvers['resets the password'](world);
  const login = { email: VICTIM, password: NEW_PASSWORD };
  // For 72 hours after a reset by mail no code is mailed to a place that the member never signed in at.
  expect((await world.call('signIn.password', login)).methods).toEqual([]);
  world.wait(72 * 3_600_000);
  const { challenge, methods } = await world.call('signIn.password', login);
  expect(methods).toEqual(['email']);
  expect((await world.call('signIn.step', { challenge, backupCode: planted })).status).toBe(401);
  await world.call('signIn.stepEmail', { challenge });
  const step = { challenge, emailCode: await world.mailedCode(VICTIM) };
  expect((await world.call('signIn.step', step)).status).toBe(200);
});

it("the person who reads an address's mails can use mailed second steps", async () => {
  await using world = await startPasskeyWorld();
  const { id, token } = await confirmedByAnother(world);
  const on = { secondFactor: true, email: true };
  const wrong = await world.call('factor.switch', { ...on, proof: { emailCode: '00000000' } }, { token });
  expect([wrong.status, wrong.code]).toEqual([403, 'proof_required']);
  await world.call('verification.sendEmail', {}, { token });
  const proof = { emailCode: await world.mailedCode(VICTIM) };
  const answer = await world.call('factor.switch', { ...on, proof }, { token });
  expect([answer.status, answer.data['backupCodes']]).toMatchObject([200, { length: 10 }]);
  expect(await findMemberFactors(world.db, id)).toMatchObject({ ownerProvenAtMs: expect.any(Number) });
});

describe('a code mailed to the former address', () => {
  it('adds no factor and verifies nobody once the member has another address', async () => {
    await using world = await startPasskeyWorld();
    const { id, email, token } = await world.member();
    await world.call('verification.sendEmail', {}, { token });
    const emailCode = await world.mailedCode(email);
    await moveToVictim(world, id);
    const { data } = await world.call('totp.start', {}, { token });
    const sent = { code: world.codeFor(String(data['secret'])), proof: { emailCode } };
    const added = await world.call('totp.confirm', sent, { token });
    expect([added.status, added.code]).toEqual([403, 'proof_required']);
    const proved = await world.call('verification.prove', { emailCode }, { token });
    expect([proved.status, proved.code]).toEqual([401, 'invalid_credentials']);
    expect(await findMemberFactors(world.db, id)).toMatchObject({ ownerProvenAtMs: null });
  });

  it('is not a second step, and a sign-in begun at that address takes none', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    await world.call('factor.switch', { secondFactor: true, email: true }, { token: member.token });
    const { challenge } = await world.signIn(member);
    await world.call('signIn.stepEmail', { challenge });
    const emailCode = await world.mailedCode(member.email);
    await moveToVictim(world, member.id);
    const refused = await world.call('signIn.step', { challenge, emailCode });
    expect([refused.status, refused.code]).toEqual([403, 'invalid_challenge']);
  });

  it('does not sign in as a one-time password', async () => {
    await using world = await startPasskeyWorld();
    const owner = await world.member({ roleType: 1 });
    const { main } = world;
    await main.send('/Adminsignin', { body: { email: owner.email } });
    const mail = (await readOutbox(main)).find(
      ({ kind, to }) => kind === 'oneTimePassword' && to === owner.email,
    );
    const password = /^ {4}([0-9a-f]{6})$/m.exec(mail?.text ?? '')?.[1] ?? '';
    expect(password).toHaveLength(6);
    await moveToVictim(world, owner.id);
    for (const email of [VICTIM, owner.email])
      expect((await main.send('/Adminlogin', { body: { email, password } })).status).toBe(401);
    expect(await findMemberFactors(world.db, owner.id)).toMatchObject({ ownerProvenAtMs: null });
  });
});
