import { changeAccess, consumePendingAddress, setPendingAddress } from '@gatehouse/db';
import { createAuthenticator, readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import type { FactorWorld } from '../test/factor-world.js';
import { addPasskey, startPasskeyWorld, usePasskey } from '../test/passkey-world.js';

const VICTIM = 'victim@example.com';

/** Somebody without an address who added a passkey, and to whom the owner of an address then confirmed theirs. */
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
  await changeAccess(db, { members: [member.id] }, async (tx) => {
    const nowMs = world.nowMs();
    const address = { memberId: member.id, emailKey: VICTIM, nowMs };
    await setPendingAddress(tx, { ...address, email: VICTIM, awaits: 'new' });
    expect(await consumePendingAddress(tx, address)).toBe(true);
  });
  return { member, passkey };
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
    const body = { token, password: 'a quite new passphrase' };
    expect((await world.main.send('/resetPassword', { body })).status).toBe(200);
  },
};

describe('factors of whoever set up an account with an address that was not theirs', () => {
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
});
