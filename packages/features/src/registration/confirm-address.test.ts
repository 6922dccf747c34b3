import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '@gatehouse/api-main/app';
import { hashPassword } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setPassword } from '@gatehouse/db/queries/passwords';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import {
  developmentEnvironment,
  type RunningService,
  readOutbox,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { changeAddress } from './move-address.js';

const dialect = inject('dialect');

const start = (options: { now?: () => number } = {}) =>
  startService(createApp, { dialect, application: 'web', env: developmentEnvironment(), ...options });

const ada = { username: 'ada', email: 'ada@lovelace.test', password: 'Analytical-Engine-1843' };

async function join(service: RunningService) {
  const response = await service.send('/register', { body: ada });
  const { token: session, userId } = (await response.json()) as { token: string; userId: number };
  const [mail] = await readOutbox(service);
  return { session, userId, link: mail?.token ?? '' };
}

const show = (service: RunningService, token: string) =>
  service.send(`/confirmationDetails?${new URLSearchParams({ token })}`);

const confirm = (service: RunningService, token: unknown) =>
  service.send('/confirmationDetails', { body: { token } });

async function moveTo(service: RunningService, memberId: number, email: string): Promise<void> {
  const { services, database } = service;
  await changeAccess(database, { members: [memberId] }, (tx) =>
    changeAddress(tx, services, { memberId, email }),
  );
}

describe('an activation link', () => {
  it('shows on every visit what it would confirm, and changes nothing', async () => {
    await using service = await start();
    const { userId, link } = await join(service);
    for (let time = 0; time < 3; time += 1) {
      const response = await show(service, link);
      expect([response.status, await response.json()]).toEqual([
        200,
        {
          status: true,
          email: ada.email,
          username: ada.username,
          alreadyConfirmed: false,
          asksProof: false,
          isChange: false,
        },
      ]);
    }
    expect(await findMemberAddress(service.database, userId)).toMatchObject({ emailConfirmedAtMs: null });
  });

  it('confirms once, says so the second time, and is visible in an open session immediately', async () => {
    await using service = await start();
    const { session, link } = await join(service);
    const isVerified = async () =>
      (
        (await (await service.send('/auth/me', { token: session })).json()) as {
          member: { emailVerified: boolean };
        }
      ).member.emailVerified;
    expect(await isVerified()).toBe(false);
    expect(await (await confirm(service, link)).json()).toMatchObject({
      status: true,
      alreadyConfirmed: false,
    });
    expect(await isVerified()).toBe(true);
    const again = await confirm(service, link);
    expect([again.status, await again.json()]).toMatchObject([200, { status: true, alreadyConfirmed: true }]);
    expect(await (await show(service, link)).json()).toMatchObject({ alreadyConfirmed: true });
  });

  it('confirms once in thirty concurrent uses', async () => {
    await using service = await start();
    const { link } = await join(service);
    const answers = await Promise.all(Array.from({ length: 30 }, () => confirm(service, link)));
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as {
      alreadyConfirmed: boolean;
    }[];
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(bodies.filter(({ alreadyConfirmed }) => !alreadyConfirmed)).toHaveLength(1);
  });

  it('is refused if it is of another kind, broken or expired, or its member is deleted', async () => {
    let now = Date.now();
    await using service = await start({ now: () => now });
    const { session, userId, link } = await join(service);
    for (const token of ['', 'x', session, `${link}x`, link.slice(0, -2), link.toUpperCase()]) {
      for (const response of [await show(service, token), await confirm(service, token)]) {
        expect([token, response.status]).toEqual([token, 403]);
        expect(await response.json()).toMatchObject({ error: { code: 'invalid_token' } });
      }
    }
    for (const token of [null, 0, [], {}, true, [link], undefined]) {
      expect((await confirm(service, token)).status).toBe(400);
    }
    expect((await service.send('/auth/me', { token: link })).status).toBe(401);
    now += 7 * 86_400_000 + 1000;
    expect((await confirm(service, link)).status).toBe(403);
    now -= 86_400_000;
    await changeAccess(service.database, { members: [userId] }, (tx) =>
      removeMember(tx, { memberId: userId, nowMs: now }),
    );
    expect((await confirm(service, link)).status).toBe(403);
    expect((await show(service, link)).status).toBe(403);
  });
});

describe('a requested new address', () => {
  it('replaces the old one once it is proven, after a notice to the old one', async () => {
    await using service = await start();
    const { userId } = await join(service);
    await moveTo(service, userId, 'countess@lovelace.test');
    const mails = await readOutbox(service);
    expect(mails.slice(0, 2).map(({ kind, to }) => ({ kind, to }))).toEqual(
      expect.arrayContaining([
        { kind: 'activation', to: 'countess@lovelace.test' },
        { kind: 'addressChanging', to: 'ada@lovelace.test' },
      ]),
    );
    await signInByPassword(service, ada.email, ada.password);
    const link = mails.find(({ to }) => to === 'countess@lovelace.test')?.token ?? '';
    expect(await (await show(service, link)).json()).toMatchObject({ email: 'countess@lovelace.test' });
    expect((await confirm(service, link)).status).toBe(200);
    await signInByPassword(service, 'countess@lovelace.test', ada.password);
    const old = await service.send('/webauthenticate', {
      body: { email: ada.email, password: ada.password },
    });
    expect(old.status).toBe(401);
    expect(await (await confirm(service, link)).json()).toMatchObject({ alreadyConfirmed: true });
  });

  it('is not proven by a password that is changed during the comparison', async () => {
    await using service = await start();
    const { userId } = await join(service);
    await moveTo(service, userId, 'countess@lovelace.test');
    const token = (await readOutbox(service)).find(({ to }) => to === 'countess@lovelace.test')?.token ?? '';
    const hash = await hashPassword('Difference-Engine-1822');
    const nowMs = service.services.now();
    let answer: Promise<Response> | undefined;
    await changeAccess(service.database, { members: [userId] }, async (tx) => {
      await setPassword(tx, { memberId: userId, hash, nowMs });
      answer ??= service.send('/confirmationDetails', { body: { token, password: ada.password } });
      await pause(1_000);
    });
    expect((await answer)?.status).toBe(401);
    expect(await findMemberAddress(service.database, userId)).toMatchObject({
      pendingEmail: 'countess@lovelace.test',
    });
  });

  it('voids the link to the previous one, and is dropped when the member requests another', async () => {
    await using service = await start();
    const { userId, link: first } = await join(service);
    await moveTo(service, userId, 'second@lovelace.test');
    const second = (await readOutbox(service)).find(({ to }) => to === 'second@lovelace.test')?.token ?? '';
    await moveTo(service, userId, 'third@lovelace.test');
    const third = (await readOutbox(service)).find(({ to }) => to === 'third@lovelace.test')?.token ?? '';
    expect((await confirm(service, second)).status).toBe(403);
    expect((await confirm(service, third)).status).toBe(200);
    expect((await confirm(service, first)).status).toBe(403);
    expect(await findMemberAddress(service.database, userId)).toMatchObject({
      email: 'third@lovelace.test',
      pendingEmail: null,
    });
  });

  it('is refused if another member took the address meanwhile', async () => {
    await using service = await start();
    const { userId } = await join(service);
    await moveTo(service, userId, 'wanted@lovelace.test');
    const link = (await readOutbox(service)).find(({ to }) => to === 'wanted@lovelace.test')?.token ?? '';
    await service.send('/register', { body: { ...ada, username: 'other', email: 'wanted@lovelace.test' } });
    const response = await confirm(service, link);
    expect([response.status, await response.json()]).toMatchObject([409, { error: { code: 'email_taken' } }]);
    expect(await findMemberAddress(service.database, userId)).toMatchObject({ email: ada.email });
  });
});

describe('requesting the activation mail again', () => {
  it('sends another link that works like the first, until the limit of the address', async () => {
    await using service = await start();
    const { session } = await join(service);
    const resend = () => service.send('/auth/resendConfirmation', { token: session, method: 'POST' });
    for (let time = 0; time < 4; time += 1) {
      expect(await (await resend()).json()).toMatchObject({ status: true, alreadyConfirmed: false });
    }
    // The answer reveals nothing of the other mails to the address.
    expect(await (await resend()).json()).toMatchObject({ status: true, alreadyConfirmed: false });
    const mails = await readOutbox(service);
    expect(mails).toHaveLength(5);
    expect((await confirm(service, mails[0]?.token)).status).toBe(200);
    expect(await (await resend()).json()).toMatchObject({ status: true, alreadyConfirmed: true });
    expect(await readOutbox(service)).toHaveLength(5);
  });

  it('requires a session', async () => {
    await using service = await start();
    expect((await service.send('/auth/resendConfirmation', { method: 'POST' })).status).toBe(401);
  });
});
