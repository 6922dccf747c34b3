import {
  createTokenKeys,
  plainToken,
  sealPartnerToken,
  sealToken,
  type TokenPayload,
} from '@gatehouse/auth-core';
import { insertPartnerMember } from '@gatehouse/db/queries/partner-members';
import { insertTestInvitation, linkOf } from '@gatehouse/features/test/invitations';
import { type RunningService, signIn, startService } from '@gatehouse/testkit';
import CryptoJS from 'crypto-js';
import jwt from 'jsonwebtoken';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from './app.js';

const dialect = inject('dialect');
const start = (env: Record<string, string> = {}) =>
  startService(createApp, { dialect, application: 'web', env });

const session = { userId: 3, role: 1, defaultPaymentId: 2, accountId: 1, isPersonnel: false };

function observedToken(secret: string, payload: object = session, expiresIn = 3600): string {
  const data = CryptoJS.AES.encrypt(JSON.stringify(payload), secret).toString();
  return jwt.sign({ data }, secret, { expiresIn });
}

type Kind =
  | 'session'
  | 'bearer'
  | 'socialLogin'
  | 'partnerLogin'
  | 'emailVerification'
  | 'emailApproval'
  | 'memberRestore'
  | 'passwordReset'
  | 'invitation'
  | 'impersonation'
  | 'impersonationTicket'
  | 'partner'
  | 'plain';

async function tokensOfEveryKind(service: RunningService): Promise<Record<Kind, string>> {
  const { config } = service.services;
  const keys = createTokenKeys({ secret: config.JWT_SECRET_KEY });
  const options = { nowMs: Date.now(), ttlSeconds: 600 };
  const seal = (payload: TokenPayload) => sealToken(keys, payload, options).token;
  const { database } = service;
  await insertPartnerMember(database, { partnerId: 1, memberId: 3, nowMs: Date.now() });
  const invitationId = await insertTestInvitation(database, { accountId: 1, inviterId: 3 });
  const bearer = await service.send('/authenticate', {
    body: { email: 'owner@acme.test', password: 'Lantern-Harbor-42' },
  });
  return {
    session: (await signIn(service, 'owner@acme.test')).token,
    bearer: ((await bearer.json()) as { token: string }).token,
    socialLogin: seal({ type: 'socialLogin', userId: 3, provider: 'google' }),
    partnerLogin: seal({
      type: 'partnerLogin',
      userId: 3,
      role: 1,
      defaultPaymentId: 2,
      accountIds: [1],
      partnerId: 1,
    }),
    emailVerification: seal({ type: 'emailVerification', userId: 3, email: 'owner@acme.test' }),
    emailApproval: seal({ type: 'emailApproval', userId: 3, sinceMs: 1 }),
    memberRestore: seal({ type: 'memberRestore', userId: 3, erasesAtMs: 1 }),
    passwordReset: seal({ type: 'passwordReset', userId: 3, email: 'owner@acme.test' }),
    invitation: await linkOf(service, invitationId),
    impersonation: seal({ type: 'impersonation', ...session, act: { userId: 1, impersonationId: 1 } }),
    impersonationTicket: seal({ type: 'impersonationTicket', session: 'x' }),
    partner: sealPartnerToken(
      keys,
      { partnerId: 'acme-partner', partnerName: 'Acme' },
      { ...options, issuer: config.PARTNER_TOKEN_ISSUER },
    ).token,
    plain: plainToken(3, Date.now()),
  };
}

const TRANSPORTS: Record<
  string,
  { opens: Kind[]; refusal: number; knock: (service: RunningService, token: string) => Promise<Response> }
> = {
  'the token header': {
    opens: ['session'],
    refusal: 401,
    knock: (service, token) => service.send('/auth/me', { token }),
  },
  'the bearer header': {
    opens: ['bearer'],
    refusal: 401,
    knock: (service, bearer) => service.send('/auth/me', { bearer }),
  },
  'GET /': { opens: ['bearer'], refusal: 403, knock: (service, bearer) => service.send('/', { bearer }) },
  'the token header at GET /': {
    opens: [],
    refusal: 403,
    knock: (service, token) => service.send('/', { token }),
  },
  tempLogin: {
    opens: ['socialLogin', 'partnerLogin'],
    refusal: 403,
    knock: (service, token) => service.send('/webauthenticate', { body: { tempLogin: true, token } }),
  },
  'invitation.preview': {
    opens: ['invitation'],
    refusal: 403,
    knock: (service, token) => service.send('/v1/invitation/preview', { body: { token } }),
  },
  'impersonation.details': {
    opens: [],
    refusal: 403,
    knock: (service, ticket) => service.send('/v1/impersonation/details', { body: { ticket } }),
  },
  'impersonation.open': {
    opens: [],
    refusal: 403,
    knock: (service, ticket) =>
      service.send('/v1/impersonation/open', {
        headers: { 'x-gatehouse-client': 'cookie', 'sec-fetch-site': 'same-origin' },
        body: { ticket },
      }),
  },
  social: {
    opens: ['socialLogin'],
    refusal: 403,
    knock: (service, token) => service.send('/webauthenticate', { body: { social: true, token } }),
  },
};

describe.each(Object.entries(TRANSPORTS))('%s', (_name, transport) => {
  it('accepts its own kinds of token and refuses every other', async () => {
    await using service = await start();
    for (const [kind, token] of Object.entries(await tokensOfEveryKind(service))) {
      const isOwn = transport.opens.some((each) => each === kind);
      const response = await transport.knock(service, token);
      expect([kind, response.status]).toEqual([kind, isOwn ? 200 : transport.refusal]);
    }
  });
});

describe('tokens of the replaced system', () => {
  it('are accepted when jsonwebtoken and crypto-js made them with the same key', async () => {
    await using service = await start();
    const response = await service.send('/auth/me', {
      token: observedToken(service.services.config.JWT_SECRET_KEY),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ member: { id: 3, email: 'owner@acme.test' } });
  });

  it('are read by jsonwebtoken and crypto-js when we made them', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'owner@acme.test');
    const secret = service.services.config.JWT_SECRET_KEY;
    const claims = jwt.verify(token, secret) as { data: string; jti: string; iat: number; exp: number };
    expect(JSON.parse(CryptoJS.AES.decrypt(claims.data, secret).toString(CryptoJS.enc.Utf8))).toEqual(
      session,
    );
    expect(claims.jti).toMatch(/^[0-9a-f]{32}$/);
    expect(claims.exp - claims.iat).toBe(7 * 86_400);
  });

  it('are revoked at logout, although they have no jti', async () => {
    await using service = await start();
    const token = observedToken(service.services.config.JWT_SECRET_KEY);
    expect((await service.send('/auth/logout', { token, method: 'POST' })).status).toBe(200);
    expect((await service.send('/auth/me', { token })).status).toBe(401);
  });

  it('are accepted under the previous key until its end date, and not afterwards', async () => {
    const previous = 'the-short-key';
    let now = Date.now();
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      env: {
        JWT_SECRET_KEY_PREVIOUS: previous,
        JWT_SECRET_KEY_PREVIOUS_UNTIL: new Date(now + 60_000).toISOString(),
      },
      now: () => now,
    });
    const token = observedToken(previous);
    expect((await service.send('/auth/me', { token })).status).toBe(200);
    now += 61_000;
    expect((await service.send('/auth/me', { token })).status).toBe(401);
  });

  it('are refused without an expiry', async () => {
    await using service = await start();
    const secret = service.services.config.JWT_SECRET_KEY;
    const data = CryptoJS.AES.encrypt(JSON.stringify(session), secret).toString();
    expect((await service.send('/auth/me', { token: jwt.sign({ data }, secret) })).status).toBe(401);
    const bearer = jwt.sign({ userId: 3, role: 1, isPersonnel: false }, secret);
    expect((await service.send('/auth/me', { bearer })).status).toBe(401);
  });
});

describe('one-use tokens', () => {
  it('make one session in fifty concurrent uses', async () => {
    await using service = await start();
    const { socialLogin: token } = await tokensOfEveryKind(service);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        service.send('/webauthenticate', { body: { tempLogin: true, token } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(49);
  });

  it('are refused with another member’s e-mail address, and stay usable', async () => {
    await using service = await start();
    const { socialLogin: token } = await tokensOfEveryKind(service);
    const use = (email: string) => service.send('/webauthenticate', { body: { social: true, token, email } });
    expect((await use('manager@acme.test')).status).toBe(403);
    expect((await use('OWNER@acme.test')).status).toBe(200);
  });

  it('are refused as invalid input when the flags of two kinds are set', async () => {
    await using service = await start();
    const { socialLogin: token } = await tokensOfEveryKind(service);
    const response = await service.send('/webauthenticate', {
      body: { social: true, tempLogin: true, token },
    });
    expect(response.status).toBe(400);
  });
});
