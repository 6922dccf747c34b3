import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startOauthWorld } from '../../test/oauth-world.js';
import { createSamlIdentityProvider } from '../../test/saml-identity-provider.js';
import { insertTestDomain, insertTestSso, insertTestSubject } from '../../test/test-sso.js';
import { samlMetadataChecks } from '../look-at-metadata.js';

const DAY_MS = 86_400_000;

const page = z.object({
  data: z.array(z.looseObject({ id: z.int(), name: z.string() })),
  page: z.object({ nextCursor: z.string().nullable() }),
});

it('staff with base role 0 see the domains and connections of an account, and other staff do not', async () => {
  await using world = await startOauthWorld();
  const { db, main, admin, root } = world;
  const owner = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 1 } });
  const body = { domain: 'works.example' };
  const added = await main.send('/v1/sso/addDomain', { token: owner.token, accountId: 1, body });
  expect(added.status).toBe(200);
  const see = async (token: string, accountId: number) => {
    const response = await admin.send('/v1/platformSso/detail', { token, body: { accountId } });
    return [response.status, await response.json()];
  };
  expect(await see(root.token, 1)).toMatchObject([
    200,
    { data: { connections: [], domains: [{ domain: 'works.example', state: 'pending' }], required: false } },
  ]);
  expect(await see(root.token, 2)).toMatchObject([200, { data: { domains: [] } }]);
  const staff = await insertTestMember(db, { isPersonnel: true, roleType: 6, isConfirmed: true });
  expect(await see(staff.token, 1)).toMatchObject([403, { error: { code: 'permission_denied' } }]);
});

describe('the connections of all accounts', () => {
  it('are found by state, kind and name, page by page', async () => {
    await using world = await startOauthWorld();
    const { db, admin, root } = world;
    const owner = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 1, 2: 1 } });
    const on = await insertTestSso(db, { accountId: 1, createdById: owner.id, required: true });
    const off = await insertTestSso(db, { accountId: 2, createdById: owner.id, isLive: false });
    const list = async (body: object) => {
      const response = await admin.send('/v1/platformSso/list', { token: root.token, body });
      return page.parse(await response.json());
    };
    const idsOf = async (body: object) => (await list(body)).data.map(({ id }) => id);
    expect((await list({})).data).toMatchObject([
      { id: off.id, accountId: 2, active: false, required: false, kind: 'oidc' },
      { id: on.id, accountId: 1, active: true, required: true, issuer: 'http://127.0.0.1:4999' },
    ]);
    expect(await idsOf({ state: 'on' })).toEqual([on.id]);
    expect(await idsOf({ state: 'off' })).toEqual([off.id]);
    expect(await idsOf({ state: 'changed' })).toEqual([]);
    expect(await idsOf({ kind: 'saml' })).toEqual([]);
    expect(await idsOf({ search: 'cme' })).toEqual([off.id, on.id]);
    expect(await idsOf({ search: '%' })).toEqual([]);
    const first = await list({ limit: 1 });
    expect(await idsOf({ limit: 1, cursor: first.page.nextCursor })).toEqual([on.id]);
    const staff = await insertTestMember(db, { isPersonnel: true, roleType: 6, isConfirmed: true });
    for (const [path, body] of [
      ['list', {}],
      ['listFor', { memberId: owner.id }],
    ] as const) {
      const refused = await admin.send(`/v1/platformSso/${path}`, { token: staff.token, body });
      expect([path, refused.status]).toEqual([path, 403]);
    }
  });

  it('are sorted by the end of their certificates, after saving, switching on and new metadata', async () => {
    await using world = await startOauthWorld();
    const { db, main, admin, root } = world;
    const owner = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 1 } });
    const as = { token: owner.token, accountId: 1 };
    await insertTestDomain(db, { accountId: 1, createdById: owner.id, isVerified: true });
    await insertTestSso(db, { accountId: 1, createdById: owner.id });
    const now = main.services.now();
    const made: number[] = [];
    for (const days of [400, 20, 200]) {
      const idp = createSamlIdentityProvider({ kind: 'ec', notAfterMs: now + days * DAY_MS });
      const metadataXml = idp.metadata({ ssoUrl: 'https://idp.acme.example/sso' });
      const body = { name: `In ${days}`, metadataXml };
      const saved = await main.send('/v1/sso/saveSaml', { ...as, body });
      made.push(z.object({ data: z.object({ id: z.int() }) }).parse(await saved.json()).data.id);
    }
    const list = async (body: object) => {
      const response = await admin.send('/v1/platformSso/list', { token: root.token, body });
      return page.parse(await response.json());
    };
    const namesOf = async (body: object) => (await list(body)).data.map(({ name }) => name);
    const sort = 'certificatesEndAt';
    expect(await namesOf({ sort })).toEqual(['In 20', 'In 200', 'In 400']);
    expect(await namesOf({ sort, state: 'ending' })).toEqual(['In 20']);
    const first = await list({ sort, limit: 2 });
    expect(await namesOf({ sort, limit: 2, cursor: first.page.nextCursor })).toEqual(['In 400']);
    const later = createSamlIdentityProvider({ kind: 'ec', notAfterMs: now + 900 * DAY_MS });
    const metadataXml = later.metadata({ ssoUrl: 'https://idp.acme.example/sso' });
    await main.send('/v1/sso/saveSaml', { ...as, body: { connectionId: made[1], metadataXml } });
    expect(await namesOf({ sort })).toEqual(['In 200', 'In 400', 'In 20']);
    await samlMetadataChecks.run(main.services);
    expect(await namesOf({ sort })).toEqual(['In 200', 'In 400', 'In 20']);
  });
});

it('staff see through which connections a member has signed in, and what that means for their sign-in', async () => {
  await using world = await startOauthWorld();
  const { db, admin, root } = world;
  const owner = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 1 } });
  const member = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 3 } });
  await insertTestSubject(db, { accountId: 1, createdById: owner.id, memberId: member.id });
  const send = async (path: string, body: object) =>
    (await (await admin.send(path, { token: root.token, body })).json()) as { data: unknown };
  expect(await send('/v1/platformSso/listFor', { memberId: member.id })).toMatchObject({
    data: [{ name: 'Acme', accountId: 1, kind: 'oidc', active: true, manages: false, consentedAt: null }],
  });
  expect(await send('/v1/platformSso/listFor', { memberId: owner.id })).toMatchObject({ data: [] });

  const explain = (question: object) => send('/v1/access/explain', question);
  const here = { accountId: 1, permission: 'account.read' };
  expect(await explain({ memberId: member.id, ...here })).toMatchObject({ data: { decision: 'allow' } });
  const of = { accountId: 1, createdById: owner.id };
  await insertTestDomain(db, { ...of, domain: 'many.test', isVerified: true });
  await insertTestSso(db, { ...of, required: true, exemptIds: [owner.id] });
  expect(await explain({ memberId: member.id, ...here })).toMatchObject({
    data: {
      decision: 'deny',
      reason: 'sso_required',
      chain: expect.arrayContaining([{ fact: 'singleSignOn', value: 'required', effect: 'denies' }]),
    },
  });
  expect(await explain({ memberId: owner.id, ...here })).toMatchObject({ data: { decision: 'allow' } });
  expect(await explain({ memberId: member.id })).toMatchObject({
    data: {
      decision: 'allow',
      chain: expect.arrayContaining([{ fact: 'singleSignOn', value: 'required', effect: 'none' }]),
    },
  });
});
