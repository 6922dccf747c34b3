import { inflateRawSync } from 'node:zlib';
import type { TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { changeColumn } from '../test/change-column.js';
import { createSamlIdentityProvider, type LogoutAsked } from '../test/saml-identity-provider.js';
import { type SamlWorld, startSamlWorld } from '../test/saml-world.js';
import { samlSessionKey, samlSignOutUrl } from './saml-logout.js';
import { subjectKeyOf } from './sso-claims.js';

/** A session of a member that began at the identity provider, as its subject with a session there. */
async function signedIn(saml: SamlWorld, nameId: string, sessionIndexes: readonly string[]) {
  const { accountId, world } = saml;
  const { db } = world;
  const { ssoLogins, ssoSubjects, sessions, memberships } = db.tables;
  const member = await world.member();
  const { id: connectionId, epoch, settings } = await saml.row();
  const nowMs = Date.now();
  const at = { createdAtMs: nowMs, updatedAtMs: nowMs };
  await db.insert(memberships, { memberId: member.id, accountId, roleType: 5, ...at });
  const subjectId = await db.insert(ssoSubjects, {
    connectionId,
    accountId,
    subjectKey: subjectKeyOf(settings, nameId),
    subject: nameId,
    memberId: member.id,
    createdAtMs: nowMs,
    lastSignInAtMs: nowMs,
  });
  const tokens: string[] = [];
  for (const sessionIndex of sessionIndexes) {
    const before = new Set((await db.select().from(sessions)).map(({ id }) => id));
    tokens.push(await member.signInAgain());
    const made = (await db.select().from(sessions)).find(({ id }) => !before.has(id));
    const ssoLoginId = await db.insert(ssoLogins, {
      connectionId,
      accountId,
      subjectId,
      memberId: member.id,
      epoch,
      level: 1,
      untilMs: nowMs + 3_600_000,
      providerSessionKey: samlSessionKey(nameId, sessionIndex),
      createdAtMs: nowMs,
    });
    await changeColumn(db, { table: 'sessions', column: 'sso_login_id', id: made?.id ?? 0 }, ssoLoginId);
  }
  return { member, tokens };
}

async function statuses({ world }: SamlWorld, tokens: readonly string[]) {
  const answers = await Promise.all(tokens.map((token) => world.other.send('/auth/me', { token })));
  return answers.map(({ status }) => status);
}

const asked = (saml: SamlWorld, changes: Partial<LogoutAsked> = {}): LogoutAsked => ({
  destination: saml.urls().logoutUrl,
  nameId: 'ada-17',
  sessionIndexes: [],
  nowMs: saml.world.service.services.now(),
  ...changes,
});

const visit = ({ world, key }: SamlWorld, query: string) =>
  fetch(`${world.service.url}/sso/saml/${key}/logout?${query}`, { redirect: 'manual' });

const own = (member: TestMember, tokens: readonly string[]) => [member.token, ...tokens];

describe('a signed SAML logout request', () => {
  it('ends the sessions of a person by the next request, and no others, and gets a signed answer', async () => {
    await using saml = await startSamlWorld();
    const ada = await signedIn(saml, 'ada-17', ['_1', '_2']);
    const ben = await signedIn(saml, 'ben-18', ['_3']);
    const everybody = [...own(ada.member, ada.tokens), ...own(ben.member, ben.tokens)];
    expect(await statuses(saml, everybody)).toEqual([200, 200, 200, 200, 200]);
    const query = saml.idp.logoutQuery(asked(saml), 'to here & back');
    const answer = await visit(saml, query);
    expect(answer.status).toBe(303);
    const url = new URL(answer.headers.get('location') ?? '');
    expect(`${url.origin}${url.pathname}`).toBe('https://idp.acme.example/slo');
    expect(url.searchParams.get('RelayState')).toBe('to here & back');
    expect(url.searchParams.get('Signature')).toMatch(/^[A-Za-z0-9+/=]{344}$/);
    const sent = inflateRawSync(Buffer.from(url.searchParams.get('SAMLResponse') ?? '', 'base64')).toString();
    expect(sent).toContain('status:Success');
    expect(await statuses(saml, everybody)).toEqual([200, 401, 401, 200, 200]);
    const { auditLog } = saml.world.db.tables;
    const lines = (await saml.world.db.select().from(auditLog)).filter(
      ({ action }) => action === 'session.ended',
    );
    expect(lines.map(({ actorId, onBehalfOfId, accountId }) => [actorId, onBehalfOfId, accountId])).toEqual([
      [null, ada.member.id, saml.accountId],
    ]);
  });

  it('ends the one session that it names, by a form', async () => {
    await using saml = await startSamlWorld();
    const { member, tokens } = await signedIn(saml, 'ada-17', ['_1', '_2']);
    const SAMLRequest = saml.idp.logoutForm(asked(saml, { sessionIndexes: ['_2'] }));
    expect((await saml.post('logout', { SAMLRequest })).status).toBe(303);
    expect(await statuses(saml, own(member, tokens))).toEqual([200, 200, 401]);
  });

  it('names at most 20 sessions, and identifies a person by every character', async () => {
    await using saml = await startSamlWorld();
    const { member, tokens } = await signedIn(saml, 'ada-17', ['_0', '_1', '_2']);
    const statusOf = async (changes: Partial<LogoutAsked>) =>
      (await visit(saml, saml.idp.logoutQuery(asked(saml, changes)))).status;
    const sessionIndexes = Array.from({ length: 21 }, (_, at) => `_${at}`);
    expect(await statusOf({ sessionIndexes })).toBe(400);
    expect(await statusOf({ nameId: 'ada-17\u00A0' })).toBe(303);
    expect(await statuses(saml, own(member, tokens))).toEqual([200, 200, 200, 200]);
    expect(await statusOf({ sessionIndexes: sessionIndexes.slice(1) })).toBe(303);
    expect(await statuses(saml, own(member, tokens))).toEqual([200, 200, 401, 401]);
  });

  it('and all other SAML messages are limited per address', async () => {
    await using saml = await startSamlWorld({ env: { SOCIAL_VISITS_PER_ADDRESS: '3' } });
    expect((await visit(saml, '')).status).toBe(400);
    expect((await saml.post('logout', { SAMLRequest: 'x' })).status).toBe(400);
    expect((await saml.post('acs', { SAMLResponse: 'x' })).status).toBe(400);
    expect((await visit(saml, saml.idp.logoutQuery(asked(saml)))).status).toBe(429);
    expect((await saml.post('logout', { SAMLRequest: 'x' })).status).toBe(429);
    expect((await saml.post('acs', { SAMLResponse: 'x' })).status).toBe(429);
  });

  it('is accepted once', async () => {
    await using saml = await startSamlWorld();
    const query = saml.idp.logoutQuery(asked(saml));
    expect((await visit(saml, query)).status).toBe(303);
    const { tokens } = await signedIn(saml, 'ada-17', ['_1']);
    expect((await visit(saml, query)).status).toBe(303);
    expect(await statuses(saml, tokens)).toEqual([200]);
  });

  it('ends nothing unless it is from this identity provider, and for this address', async () => {
    await using saml = await startSamlWorld();
    const { tokens } = await signedIn(saml, 'ada-17', ['_1']);
    const foreign = createSamlIdentityProvider({ entityId: saml.idp.entityId });
    const good = saml.idp.logoutQuery(asked(saml));
    const bad: [string, number][] = [
      [foreign.logoutQuery(asked(saml)), 400],
      [good.replace(/&Signature=.*/, ''), 400],
      [`${good}&SAMLRequest=x`, 400],
      [saml.idp.logoutQuery(asked(saml, { destination: 'https://other.example/' })), 400],
      [saml.idp.logoutQuery(asked(saml, { nowMs: Date.now() - 3_600_000 })), 400],
      ['', 400],
    ];
    for (const [query, status] of bad) expect((await visit(saml, query)).status).toBe(status);
    const unsigned = Buffer.from(
      Buffer.from(saml.idp.logoutForm(asked(saml)), 'base64')
        .toString()
        .replace(/<ds:Signature .*<\/ds:Signature>/s, ''),
    ).toString('base64');
    for (const SAMLRequest of [unsigned, foreign.logoutForm(asked(saml)), 'x'])
      expect((await saml.post('logout', { SAMLRequest })).status).toBe(400);
    expect((await saml.post('logout', {})).status).toBe(400);
    expect(await statuses(saml, tokens)).toEqual([200]);
    const other = saml.idp.logoutQuery(asked(saml, { nameId: 'nobody' }));
    expect((await visit(saml, other)).status).toBe(303);
    expect(await statuses(saml, tokens)).toEqual([200]);
  });

  it('that we sent is answered at the front end, and nothing in that answer is trusted', async () => {
    await using saml = await startSamlWorld();
    const answer = await visit(saml, 'SAMLResponse=x');
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      saml.world.service.services.config.APP_URL,
    ]);
    const subject = {
      nameId: 'ada-17',
      nameIdFormat: null,
      nameQualifier: null,
      spNameQualifier: null,
      sessionIndex: '_1',
    };
    const url = samlSignOutUrl(saml.world.service.services, await saml.row(), subject);
    expect(url).toMatch(/^https:\/\/idp\.acme\.example\/slo\?SAMLRequest=[^&]+&SigAlg=[^&]+&Signature=/);
    await saml.setLive(false);
    expect(samlSignOutUrl(saml.world.service.services, await saml.row(), subject)).toBeUndefined();
  });
});
