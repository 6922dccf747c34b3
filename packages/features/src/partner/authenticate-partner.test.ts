import { createApp } from '@gatehouse/api-main/app';
import { sha256Hex } from '@gatehouse/auth-core';
import { type RunningService, signIn, startService } from '@gatehouse/testkit';
import jwt from 'jsonwebtoken';
import { describe, expect, inject, it } from 'vitest';
import { operatorChange } from '../test/operator-change.js';
import { ACME_SECRET, exchange, loginTokenIn, partnerClient } from '../test/partner-client.js';
import { addPartner } from './add-partner.js';
import { changePartner, stopPartner } from './change-partner.js';
import { finishPartnerRotation, rotatePartnerSecret } from './rotate-partner-secret.js';

const dialect = inject('dialect');

const start = (env: Record<string, string> = {}) =>
  startService(createApp, { dialect, application: 'web', env });

const PARTNER = 1;
const PATH = '/partnerAuth/partnerAuthentication';

function authenticate(service: RunningService, secretKey: string): Promise<Response> {
  return service.send(PATH, { body: { partnerId: 'acme-partner', secretKey } });
}

/** The access of the partner's token: 404 means an unknown member, 401 that the token was refused. */
async function knock(service: RunningService, bearer: string | undefined): Promise<number> {
  const body = { email: 'nobody@example.org' };
  return (await service.send('/partnerAuth/singleSignOn', { bearer, body })).status;
}

const OPEN = 404;
const REFUSED = 401;

describe('partner authentication', () => {
  it('returns a token of one hour with the documented claims, and stores its digest and expiry', async () => {
    await using service = await start();
    const response = await authenticate(service, ACME_SECRET);
    const answer = (await response.json()) as { token: string };
    expect(answer).toEqual({ status: true, token: answer.token, expiresIn: 3600 });
    const claims = jwt.verify(answer.token, service.services.config.JWT_SECRET_KEY, {
      algorithms: ['HS256'],
      issuer: 'gatehouse',
      audience: 'partner-auth',
    }) as Record<string, unknown>;
    expect(claims).toMatchObject({ partnerId: 'acme-partner', partnerName: 'acme-partner' });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(3600);
    const { partners, partnerSecrets } = service.database.tables;
    const [partner] = await service.database.select().from(partners);
    expect(partner).toMatchObject({
      tokenDigest: sha256Hex(answer.token),
      tokenExpiresAtMs: Number(claims['exp']) * 1000,
    });
    expect(partner?.lastUsedAtMs).not.toBeNull();
    const [secret] = await service.database.select().from(partnerSecrets);
    expect(secret?.lastUsedAtMs).not.toBeNull();
  });

  it('accepts the partnerId of the replaced system unchanged, also in tokens', async () => {
    await using service = await start();
    const secretKey = 'a secret of nordwind that nobody else has';
    const nordwind = { name: 'Nordwind GmbH', appUrl: 'http://127.0.0.1:4010', secretKey };
    // The demonstration's partner has this number.
    await addPartner(operatorChange(service), { ...nordwind, externalId: '1' });
    await addPartner(operatorChange(service), {
      ...nordwind,
      name: 'Südwind',
      externalId: 'P-ä/7',
      secretKey: `${secretKey} else`,
    });
    for (const partnerId of [1, '1', 'nordwind gmbh']) {
      const { token } = await partnerClient(service, { partnerId, secretKey });
      const name = { partnerId: '1', partnerName: 'Nordwind GmbH' };
      expect([partnerId, jwt.decode(token)]).toEqual([partnerId, expect.objectContaining(name)]);
      expect([partnerId, await knock(service, token)]).toEqual([partnerId, OPEN]);
    }
    expect((await service.send(PATH, { body: { partnerId: 1, secretKey: ACME_SECRET } })).status).toBe(401);
    expect((await authenticate(service, ACME_SECRET)).status).toBe(200);
    const { token } = await partnerClient(service, { partnerId: 'P-ä/7', secretKey: `${secretKey} else` });
    expect(await knock(service, token)).toBe(OPEN);
    const key = service.services.config.JWT_SECRET_KEY;
    const claims = {
      partnerId: 'P-ä/7',
      partnerName: 'of the old service',
      iss: 'gatehouse',
      aud: 'partner-auth',
    };
    expect(await knock(service, jwt.sign(claims, key, { expiresIn: 3600 }))).toBe(OPEN);
    expect(await knock(service, jwt.sign({ ...claims, partnerId: 'p-ä/7' }, key, { expiresIn: 3600 }))).toBe(
      REFUSED,
    );
  });

  it('identifies a partner by name in any case, and by number', async () => {
    await using service = await start();
    for (const partnerId of ['ACME-Partner', ' acme-partner ', '1', 1]) {
      const client = await partnerClient(service, { partnerId, secretKey: ACME_SECRET });
      expect(await knock(service, client.token)).toBe(OPEN);
    }
  });

  it('gives unknown, wrong and deactivated partners one answer', async () => {
    await using service = await start();
    const closed = await addPartner(operatorChange(service), {
      name: 'closed',
      appUrl: 'https://closed.example',
    });
    await stopPartner(operatorChange(service), closed.id);
    const answers = new Set<string>();
    for (const body of [
      { partnerId: 'nobody', secretKey: ACME_SECRET },
      { partnerId: 99, secretKey: ACME_SECRET },
      { partnerId: 'acme-partner', secretKey: `${ACME_SECRET} ` },
      { partnerId: 'acme-partner', secretKey: ACME_SECRET.toUpperCase() },
      { partnerId: 'acme-partner', secretKey: ACME_SECRET.slice(0, -1) },
      { partnerId: 'closed', secretKey: closed.secretKey },
    ]) {
      const response = await service.send(PATH, { body });
      const { requestId: _, ...answer } = (await response.json()) as Record<string, unknown>;
      answers.add(JSON.stringify([response.status, answer]));
    }
    expect(answers.size).toBe(1);
    expect([...answers][0]).toContain('[401,{"status":false,"message":"The partner or its secret is wrong."');
    expect([...answers][0]).toContain('"invalid_credentials"');
  });

  it('never accepts the stored form as the secret', async () => {
    await using service = await start();
    const [row] = await service.database.select().from(service.database.tables.partnerSecrets);
    expect(row?.secret).not.toContain(ACME_SECRET);
    expect((await authenticate(service, row?.secret ?? '')).status).toBe(401);
  });

  it('refuses a secret that is not text as invalid input', async () => {
    await using service = await start();
    for (const secretKey of [0, '', null, true, [], {}, [ACME_SECRET], undefined]) {
      const response = await service.send(PATH, { body: { partnerId: 'acme-partner', secretKey } });
      expect([secretKey, response.status]).toEqual([secretKey, 400]);
    }
  });

  it('counts failures per address and partner, and never successes', async () => {
    await using service = await start();
    for (let round = 0; round < 35; round += 1) {
      expect((await authenticate(service, ACME_SECRET)).status).toBe(200);
    }
    const wrong = 'x'.repeat(40);
    const failures = await Promise.all(Array.from({ length: 60 }, () => authenticate(service, wrong)));
    expect(failures.filter(({ status }) => status === 401)).toHaveLength(30);
    const limited = failures.find(({ status }) => status === 429);
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await authenticate(service, ACME_SECRET)).status).toBe(429);
    const forwarded = await service.send(PATH, {
      body: { partnerId: 'acme-partner', secretKey: ACME_SECRET },
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
    expect(forwarded.status).toBe(429);
  });

  it('is not locked out by failures from another address', async () => {
    await using service = await start({ TRUSTED_PROXIES: '127.0.0.1' });
    const from = (address: string, secretKey: string) =>
      service.send(PATH, {
        body: { partnerId: 'acme-partner', secretKey },
        headers: { 'x-forwarded-for': address },
      });
    for (let round = 0; round < 31; round += 1) await from('203.0.113.9', 'x'.repeat(40));
    expect((await from('203.0.113.9', ACME_SECRET)).status).toBe(429);
    expect((await from('203.0.113.10', ACME_SECRET)).status).toBe(200);
  });

  it('encrypts a secret again that was encrypted with the previous key', async () => {
    const before = Buffer.alloc(32, 7).toString('base64');
    const after = Buffer.alloc(32, 8).toString('base64');
    await using service = await start({ DATA_ENCRYPTION_KEY: before });
    await using renewed = await startService(createApp, {
      dialect,
      application: 'web',
      database: service.database,
      env: { DATA_ENCRYPTION_KEY: after, DATA_ENCRYPTION_KEY_PREVIOUS: before },
    });
    expect((await authenticate(renewed, ACME_SECRET)).status).toBe(200);
    const [row] = await service.database.select().from(service.database.tables.partnerSecrets);
    expect(renewed.services.cipher.isCurrent(row?.secret ?? '')).toBe(true);
    expect((await authenticate(renewed, ACME_SECRET)).status).toBe(200);
  });
});

describe('a partner token', () => {
  it('is refused with another issuer, audience, algorithm, key, lifetime or kind', async () => {
    await using service = await start();
    const { token } = await partnerClient(service);
    const secret = service.services.config.JWT_SECRET_KEY;
    const claims = jwt.verify(token, secret) as Record<string, unknown>;
    const sign = (changes: Record<string, unknown>, options: jwt.SignOptions = {}, key = secret) =>
      jwt.sign({ ...claims, ...changes }, key, options);
    const now = Math.floor(Date.now() / 1000);
    const { exp: _exp, ...unending } = claims;
    const { aud: _aud, ...unaddressed } = claims;
    const [header = '', payload = '', signature = ''] = token.split('.');
    const bearer = await service.send('/authenticate', {
      body: { email: 'owner@acme.test', password: 'Lantern-Harbor-42' },
    });
    const login = await (await partnerClient(service)).register({ email: 'ada@example.org' });

    expect(await knock(service, sign({}))).toBe(OPEN);
    const refused: Record<string, string | undefined> = {
      'another issuer': sign({ iss: 'somebody' }),
      'another audience': sign({ aud: 'members' }),
      'a list of audiences': sign({ aud: ['partner-auth'] }),
      'no audience': jwt.sign(unaddressed, secret),
      'another key': sign({}, {}, 'k'.repeat(48)),
      HS512: sign({}, { algorithm: 'HS512' }),
      none: jwt.sign(claims, '', { algorithm: 'none' }),
      'no signature': `${header}.${payload}.`,
      'a bent signature': `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      expired: sign({ exp: now - 1 }),
      'without an end': jwt.sign(unending, secret),
      'of nobody': sign({ partnerId: 'nobody', partnerName: 'nobody' }),
      'of another secret': sign({ secretId: 99 }),
      'of a number that is none': sign({ partnerId: 0 }),
      session: (await signIn(service, 'owner@acme.test')).token,
      bearer: ((await bearer.json()) as { token: string }).token,
      'partner login': loginTokenIn(login.loginUrl),
      nothing: undefined,
      empty: '',
      long: 'x'.repeat(12_000),
    };
    for (const [what, each] of Object.entries(refused)) {
      expect([what, await knock(service, each)]).toEqual([what, REFUSED]);
    }
  });

  it('is refused with the envelope and with how to authenticate, before the body is read', async () => {
    await using service = await start();
    const response = await service.send('/partnerAuth/registerUser', { body: '{broken' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
    expect(await response.json()).toMatchObject({
      status: false,
      error: { code: 'invalid_partner_token' },
    });
  });

  it('gives no access as a member', async () => {
    await using service = await start();
    const { token } = await partnerClient(service);
    expect((await service.send('/auth/me', { bearer: token })).status).toBe(401);
    expect((await service.send('/auth/me', { token })).status).toBe(401);
    expect((await service.send('/', { bearer: token })).status).toBe(403);
    const login = await service.send('/webauthenticate', { body: { tempLogin: true, token } });
    expect(login.status).toBe(403);
  });

  it('is not accepted in the token header', async () => {
    await using service = await start();
    const { token } = await partnerClient(service);
    const body = { email: 'nobody@example.org' };
    expect((await service.send('/partnerAuth/singleSignOn', { token, body })).status).toBe(401);
  });

  it('gives the same result over both transports', async () => {
    await using service = await start();
    const { token } = await partnerClient(service);
    const body = { email: 'nobody@example.org' };
    expect((await service.send('/trpc/partner.singleSignOn', { bearer: token, body })).status).toBe(404);
    expect((await service.send('/trpc/partner.singleSignOn', { body })).status).toBe(401);
  });
});

describe("a rotation of a partner's secret", () => {
  it('lets both secrets work while it lasts, then only the new one, with the tokens got with each', async () => {
    let now = Date.now();
    await using service = await startService(createApp, { dialect, application: 'web', now: () => now });
    const { token: old } = await partnerClient(service);
    const { secretKey, previousUntilMs } = await rotatePartnerSecret(operatorChange(service), {
      partnerId: PARTNER,
      overlapSeconds: 600,
    });
    expect(previousUntilMs).toBe(now + 600_000);
    expect((await authenticate(service, ACME_SECRET)).status).toBe(200);
    const { token } = await partnerClient(service, { partnerId: 'acme-partner', secretKey });
    expect([await knock(service, old), await knock(service, token)]).toEqual([OPEN, OPEN]);

    now += 600_000;
    expect((await authenticate(service, ACME_SECRET)).status).toBe(401);
    expect((await authenticate(service, secretKey)).status).toBe(200);
    expect([await knock(service, old), await knock(service, token)]).toEqual([REFUSED, OPEN]);
  });

  it('without overlap ends the old secret and its tokens at once', async () => {
    await using service = await start();
    const { token: old } = await partnerClient(service);
    const { secretKey } = await rotatePartnerSecret(operatorChange(service), {
      partnerId: PARTNER,
      overlapSeconds: 0,
    });
    expect(await knock(service, old)).toBe(REFUSED);
    expect((await authenticate(service, ACME_SECRET)).status).toBe(401);
    const { token } = await partnerClient(service, { partnerId: 'acme-partner', secretKey });
    expect(await knock(service, token)).toBe(OPEN);
  });

  it('can be finished early', async () => {
    await using service = await start();
    const { token: old } = await partnerClient(service);
    const { secretKey } = await rotatePartnerSecret(operatorChange(service), {
      partnerId: PARTNER,
      overlapSeconds: 600,
    });
    expect(await finishPartnerRotation(operatorChange(service), PARTNER)).toBe(true);
    expect(await knock(service, old)).toBe(REFUSED);
    expect((await authenticate(service, ACME_SECRET)).status).toBe(401);
    expect((await authenticate(service, secretKey)).status).toBe(200);
    expect(await finishPartnerRotation(operatorChange(service), PARTNER)).toBe(false);
  });

  it('never leaves more than two secrets live, however many rotations run concurrently', async () => {
    await using service = await start();
    const rotation = { partnerId: PARTNER, overlapSeconds: 600 };
    const rotations = await Promise.all(
      Array.from({ length: 8 }, () => rotatePartnerSecret(operatorChange(service), rotation)),
    );
    const works = await Promise.all(
      [ACME_SECRET, ...rotations.map(({ secretKey }) => secretKey)].map(
        async (secretKey) => (await authenticate(service, secretKey)).status === 200,
      ),
    );
    expect(works.filter(Boolean)).toHaveLength(2);
    expect(works[0]).toBe(false);
  });
});

describe('a partner that is activated again', () => {
  it('has its secrets back, but no earlier tokens, login URLs or sessions', async () => {
    let now = Date.now();
    await using service = await startService(createApp, { dialect, application: 'web', now: () => now });
    const partner = await partnerClient(service);
    const { loginUrl, userId } = await partner.register({ email: 'ada@example.org' });
    const { token } = await exchange(service, loginTokenIn(loginUrl));
    const pending = await partner.signOn({ userId });
    await stopPartner(operatorChange(service), PARTNER);
    // What was issued until now has ended by the database's clock too, which this one does not move.
    now = Date.now() + 1000;
    await changePartner(operatorChange(service), { id: PARTNER, isActive: true });

    expect(await knock(service, partner.token)).toBe(REFUSED);
    expect((await service.send('/auth/me', { token })).status).toBe(401);
    const late = await service.send('/webauthenticate', { body: { tempLogin: true, token: pending } });
    expect(late.status).toBe(403);
    const again = await partnerClient(service);
    await exchange(service, await again.signOn({ userId }));
  });
});
