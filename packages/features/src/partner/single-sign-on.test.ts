import { createApp } from '@gatehouse/api-main/app';
import { router } from '@gatehouse/api-main/router';
import { hashPassword } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import { removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { setPassword } from '@gatehouse/db/queries/passwords';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { type RunningService, signIn, signInByPassword, startService, unsettled } from '@gatehouse/testkit';
import CryptoJS from 'crypto-js';
import jwt from 'jsonwebtoken';
import { describe, expect, inject, it } from 'vitest';
import { operatorChange } from '../test/operator-change.js';
import { exchange, loginTokenIn, type PartnerClient, partnerClient } from '../test/partner-client.js';
import { addPartner } from './add-partner.js';
import { linkPartnerMember, stopPartner } from './change-partner.js';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'web' });
const PARTNER = 1;
const OWN_PASSWORD = 'Quiet-Meadow-71';

function accountIdsIn(service: RunningService, token: string): unknown {
  const secret = service.services.config.JWT_SECRET_KEY;
  const { data } = jwt.verify(token, secret) as { data: string };
  const payload = JSON.parse(CryptoJS.AES.decrypt(data, secret).toString(CryptoJS.enc.Utf8)) as {
    accountIds: unknown;
  };
  return payload.accountIds;
}

function join(service: RunningService, memberId: number, accountId: number, roleType: number): Promise<void> {
  const nowMs = service.services.now();
  return changeAccess(service.database, { members: [memberId] }, (tx) =>
    setMembership(tx, { memberId, accountId, roleType, nowMs }),
  );
}

async function takeOver(service: RunningService, memberId: number): Promise<void> {
  const hash = await hashPassword(OWN_PASSWORD);
  const nowMs = service.services.now();
  await changeAccess(service.database, { members: [memberId] }, (tx) =>
    setPassword(tx, { memberId, hash, nowMs }),
  );
}

/** A person the partner registered, who has since joined account 2 as its manager. */
async function plant(
  service: RunningService,
): Promise<{ partner: PartnerClient; userId: number; accountId: number }> {
  const partner = await partnerClient(service);
  const { userId, accountId } = await partner.register({ email: 'ada@example.org' });
  await join(service, userId, 2, 2);
  return { partner, userId, accountId };
}

async function accountsSeen(service: RunningService, token: string): Promise<number[]> {
  const me = (await (await service.send('/auth/me', { token })).json()) as {
    memberships: { accountId: number }[];
  };
  return me.memberships.map(({ accountId }) => accountId).sort((one, other) => one - other);
}

describe('a partner’s sign-on', () => {
  it('finds its member by address, by number, or by both, and carries exactly the live memberships', async () => {
    await using service = await start();
    const partner = await partnerClient(service);
    const { userId, accountId } = await partner.register({ email: 'ada@example.org' });
    for (const who of [{ email: 'ADA@example.org' }, { userId }, { email: 'ada@example.org', userId }]) {
      const token = await partner.signOn(who);
      expect(accountIdsIn(service, token)).toEqual([accountId]);
      expect(await exchange(service, token)).toMatchObject({ userId, accountId });
    }
    const nowMs = service.services.now();
    await changeAccess(service.database, { members: [userId] }, (tx) =>
      removeMembership(tx, { memberId: userId, accountId, nowMs }),
    );
    const without = await partner.signOn({ userId });
    expect(accountIdsIn(service, without)).toEqual([]);
    expect(await exchange(service, without)).toMatchObject({ userId, accountId: null });
  });

  it('reaches only what that partner created, in every way the session has', async () => {
    await using service = await start();
    const { partner, userId, accountId } = await plant(service);
    const loginToken = await partner.signOn({ userId });
    expect(accountIdsIn(service, loginToken)).toEqual([accountId]);
    const { token, accountId: first } = await exchange(service, loginToken);
    expect(first).toBe(accountId);
    expect(await accountsSeen(service, token)).toEqual([accountId]);
    expect((await service.send('/auth/me', { token, accountId })).status).toBe(200);
    for (const path of ['/auth/me', '/getAllMemberslist']) {
      expect([path, (await service.send(path, { token, accountId: 2 })).status]).toEqual([path, 403]);
    }
    const list = await service.send('/trpc/member.list?input={}', { token, accountId: 2 });
    expect(list.status).toBe(403);
    const search = await service.send('/searchAccountUser', { token, body: { search: '' } });
    const found = (await search.json()) as { data: { id: number }[] };
    expect(found.data.map(({ id }) => id)).toEqual([accountId]);
    expect((await service.send('/getUserdetail8', { token })).status).toBe(404);
  });

  it('reaches more from the next request on when the member consents, and less when they withdraw', async () => {
    await using service = await start();
    const { partner, userId, accountId } = await plant(service);
    const { token } = await exchange(service, await partner.signOn({ userId }));
    await takeOver(service, userId);
    const own = await signInByPassword(service, 'ada@example.org', OWN_PASSWORD);
    expect(own.accountId).toBe(2);

    const given = await service.send('/auth/partners/consent', {
      token: own.token,
      body: { partnerId: PARTNER },
    });
    expect(await given.json()).toEqual({ status: true, partnerId: PARTNER, consented: true });
    expect(await accountsSeen(service, token)).toEqual([2, accountId]);
    expect((await service.send('/getAllMemberslist', { token, accountId: 2 })).status).toBe(200);
    const wider = await partner.signOn({ userId });
    expect(accountIdsIn(service, wider)).toEqual([2, accountId]);
    expect(await exchange(service, wider)).toMatchObject({ accountId: 2 });

    await service.send('/auth/partners/consent', {
      token: own.token,
      body: { partnerId: PARTNER, consent: false },
    });
    expect(await accountsSeen(service, token)).toEqual([accountId]);
    expect((await service.send('/getAllMemberslist', { token, accountId: 2 })).status).toBe(403);
  });

  it('cannot consent on the member’s behalf or see other partners', async () => {
    await using service = await start();
    const { partner, userId } = await plant(service);
    const other = await addPartner(operatorChange(service), {
      name: 'other-partner',
      appUrl: 'https://other.example',
    });
    await linkPartnerMember(operatorChange(service), {
      partnerId: other.id,
      memberId: userId,
      accountIds: [],
    });
    const { token } = await exchange(service, await partner.signOn({ userId }));
    const consent = await service.send('/auth/partners/consent', { token, body: { partnerId: PARTNER } });
    expect([consent.status, await consent.json()]).toMatchObject([
      403,
      { error: { code: 'permission_denied' } },
    ]);
    const seen = (await (await service.send('/auth/partners', { token })).json()) as {
      data: { partnerId: number }[];
    };
    expect(seen.data.map(({ partnerId }) => partnerId)).toEqual([PARTNER]);

    await takeOver(service, userId);
    const own = await signInByPassword(service, 'ada@example.org', OWN_PASSWORD);
    const all = await service.send('/auth/partners', { token: own.token });
    expect(await all.json()).toMatchObject({
      data: [
        {
          partnerId: PARTNER,
          name: 'acme-partner',
          active: true,
          consentedAt: null,
        },
        { partnerId: other.id, name: 'other-partner' },
      ],
    });
  });

  it('is refused wherever the member must act in person', async () => {
    await using service = await start();
    const { partner, userId } = await plant(service);
    const { token } = await exchange(service, await partner.signOn({ userId }));
    const inPerson = listProcedures(router).filter(({ rule }) => rule?.who === 'member' && rule.inPerson);
    expect(inPerson.map(({ name }) => name)).toContain('partner.consent');
    for (const { name, type } of inPerson) {
      const response = await service.send(`/trpc/${name}`, {
        token,
        ...(type === 'query' ? {} : { body: {} }),
      });
      expect([name, response.status]).toEqual([name, 403]);
    }
  });

  it('cannot see or end the member’s own sessions', async () => {
    await using service = await start();
    const { partner, userId } = await plant(service);
    await takeOver(service, userId);
    const own = await signInByPassword(service, 'ada@example.org', OWN_PASSWORD);
    const { token } = await exchange(service, await partner.signOn({ userId }));
    const sessions = async (as: string) =>
      ((await (await service.send('/auth/sessions', { token: as })).json()) as { data: { id: number }[] })
        .data;
    expect(await sessions(token)).toHaveLength(1);
    const [, ownSession] = await sessions(own.token);
    for (const body of [{ others: true }, { sessionId: ownSession?.id }]) {
      expect((await service.send('/auth/sessions/end', { token, body })).status).toBe(403);
    }
    expect(await sessions(own.token)).toHaveLength(2);
  });

  it('answers a consent to an unlinked partner as to a partner that does not exist', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'owner@acme.test');
    for (const partnerId of [PARTNER, 999]) {
      const response = await service.send('/auth/partners/consent', { token, body: { partnerId } });
      expect(response.status).toBe(404);
    }
  });

  it('answers the same for every member whom it may not sign on as for unknown ones', async () => {
    await using service = await start();
    const partner = await partnerClient(service);
    const stranger = await addPartner(operatorChange(service), {
      name: 'other',
      appUrl: 'http://127.0.0.1:4010',
    });
    const others = await partnerClient(service, { partnerId: 'other', secretKey: stranger.secretKey });
    const theirs = await others.register({ email: 'theirs@example.org' });
    const gone = await partner.register({ email: 'gone@example.org' });
    const archived = await partner.register({ email: 'archived@example.org' });
    const promoted = await partner.register({ email: 'promoted@example.org' });
    const nowMs = service.services.now();
    const members = [gone.userId, archived.userId, promoted.userId];
    await changeAccess(service.database, { members }, async (tx) => {
      await removeMember(tx, { memberId: gone.userId, nowMs });
      await setMemberRole(unsettled(tx), {
        memberId: archived.userId,
        roleType: 11,
        role: 'Archived',
        nowMs,
      });
      const staff = { roleType: 6, role: 'Account Manager', isPersonnel: true, nowMs };
      await setMemberRole(unsettled(tx), { memberId: promoted.userId, ...staff });
    });

    const answers = new Set<string>();
    for (const body of [
      { email: 'nobody@example.org' },
      { userId: 999_999 },
      { email: 'theirs@example.org' },
      { userId: theirs.userId },
      { email: 'owner@acme.test' },
      { userId: 3 },
      { email: 'root@gatehouse.test' },
      { userId: 1 },
      { email: 'gone@example.org' },
      { userId: archived.userId },
      { email: 'promoted@example.org' },
      { email: 'theirs@example.org', userId: promoted.userId },
    ]) {
      const response = await service.send('/partnerAuth/singleSignOn', { bearer: partner.token, body });
      const { requestId: _, ...answer } = (await response.json()) as Record<string, unknown>;
      answers.add(JSON.stringify([response.status, answer]));
    }
    expect([...answers]).toEqual([
      JSON.stringify([
        404,
        {
          status: false,
          message: 'Not found, or you have no access.',
          error: { code: 'not_found' },
        },
      ]),
    ]);
  });

  it('refuses an address and a number that belong to two different members', async () => {
    await using service = await start();
    const partner = await partnerClient(service);
    await partner.register({ email: 'one@example.org' });
    const { userId } = await partner.register({ email: 'two@example.org' });
    const body = { email: 'one@example.org', userId };
    const response = await service.send('/partnerAuth/singleSignOn', { bearer: partner.token, body });
    expect(response.status).toBe(404);
  });

  it('ends with everything it began when the member becomes staff', async () => {
    await using service = await start();
    const partner = await partnerClient(service);
    const { userId, loginUrl } = await partner.register({ email: 'ada@example.org' });
    const { token } = await exchange(service, loginTokenIn(loginUrl));
    const pending = await partner.signOn({ userId });
    const nowMs = service.services.now();
    const staff = { roleType: 0, role: 'Admin', isPersonnel: true, nowMs };
    await changeAccess(service.database, { members: [userId] }, (tx) =>
      setMemberRole(unsettled(tx), { memberId: userId, ...staff }),
    );
    expect((await service.send('/auth/me', { token })).status).toBe(401);
    const late = await service.send('/webauthenticate', { body: { tempLogin: true, token: pending } });
    expect(late.status).toBe(403);
  });

  it('gives a login token without a partner, as the replaced system made them, no account', async () => {
    await using service = await start();
    const secret = service.services.config.JWT_SECRET_KEY;
    const payload = { userId: 3, role: 1, defaultPaymentId: 2, accountIds: [1, 2] };
    const data = CryptoJS.AES.encrypt(JSON.stringify(payload), secret).toString();
    const loginToken = jwt.sign({ data }, secret, { expiresIn: 600 });
    expect((await service.send('/auth/me', { token: loginToken })).status).toBe(401);
    const session = await exchange(service, loginToken);
    const again = await service.send('/webauthenticate', { body: { tempLogin: true, token: loginToken } });
    expect(again.status).toBe(403);
    expect(session).toMatchObject({ userId: 3, accountId: null });
    expect(await accountsSeen(service, session.token)).toEqual([]);
    expect((await service.send('/auth/me', { token: session.token, accountId: 1 })).status).toBe(403);
  });

  it('works for members linked afterwards, without their other accounts', async () => {
    await using service = await start();
    const partner = await partnerClient(service);
    const first = await linkPartnerMember(operatorChange(service), {
      partnerId: PARTNER,
      memberId: 3,
      accountIds: [1, 2],
    });
    expect(first).toEqual({ isNew: true, refusedAccountIds: [2] });
    const token = await partner.signOn({ email: 'owner@acme.test' });
    expect(accountIdsIn(service, token)).toEqual([1]);
    const again = await linkPartnerMember(operatorChange(service), {
      partnerId: PARTNER,
      memberId: 3,
      accountIds: [],
    });
    expect(again).toEqual({ isNew: false, refusedAccountIds: [] });
  });

  it('refuses input that names no member', async () => {
    await using service = await start();
    const { token: bearer } = await partnerClient(service);
    for (const body of [
      {},
      { email: '' },
      { email: 1 },
      { userId: 0 },
      { userId: -1 },
      { userId: 1.5 },
      { userId: 2 ** 53 },
      { userId: [3] },
      { email: { $ne: null } },
    ]) {
      const response = await service.send('/partnerAuth/singleSignOn', { bearer, body });
      expect([body, response.status]).toEqual([body, 400]);
    }
  });
});

describe('a deactivated partner', () => {
  it('is refused at the very next call, with its tokens, login URLs, sessions and secret, on every node', async () => {
    await using service = await start();
    await using node = await startService(createApp, {
      dialect,
      application: 'web',
      database: service.database,
    });
    const partner = await partnerClient(service);
    const { userId, loginUrl } = await partner.register({ email: 'ada@example.org' });
    const { token } = await exchange(node, loginTokenIn(loginUrl));
    const pending = await partner.signOn({ userId });
    for (const each of [service, node]) expect((await each.send('/auth/me', { token })).status).toBe(200);

    await stopPartner(operatorChange(service), PARTNER);
    for (const each of [service, node]) {
      const call = await each.send('/partnerAuth/singleSignOn', {
        bearer: partner.token,
        body: { userId },
      });
      expect([call.status, await call.json()]).toMatchObject([
        401,
        { error: { code: 'invalid_partner_token' } },
      ]);
      expect((await each.send('/auth/me', { token })).status).toBe(401);
      const late = await each.send('/webauthenticate', { body: { tempLogin: true, token: pending } });
      expect(late.status).toBe(403);
      const body = { partnerId: 'acme-partner', secretKey: 'acme-partner-demo-secret-0123456789' };
      expect((await each.send('/partnerAuth/partnerAuthentication', { body })).status).toBe(401);
    }
  });
});
