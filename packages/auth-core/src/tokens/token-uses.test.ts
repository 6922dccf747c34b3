import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/refusal-of.js';
import { openBearer, sealBearer } from './bearer.js';
import { openPartnerToken, sealPartnerSignIn, sealPartnerToken } from './partner-token.js';
import { plainToken } from './passphrase-cipher.js';
import { openTokenOfKind, sealToken } from './sealed-token.js';
import { createTokenKeys } from './token-keys.js';

const secret = 'one secret for every kind of token there is';
const keys = createTokenKeys({ secret });
const nowMs = 1_700_000_000_000;
const options = { nowMs, ttlSeconds: 600 };
const issuer = 'gatehouse';
const staff = { role: 0, defaultPaymentId: 2, accountId: 1, isPersonnel: true };

const transports = {
  sessionHeader: (token: string) => openTokenOfKind(keys, token, nowMs, ['session']),
  bearerHeader: (token: string) => openBearer(keys, token, nowMs),
  temporaryLogin: (token: string) => openTokenOfKind(keys, token, nowMs, ['socialLogin', 'partnerLogin']),
  socialLogin: (token: string) => openTokenOfKind(keys, token, nowMs, ['socialLogin']),
  confirmation: (token: string) => openTokenOfKind(keys, token, nowMs, ['emailVerification']),
  passwordReset: (token: string) => openTokenOfKind(keys, token, nowMs, ['passwordReset']),
  invitation: (token: string) => openTokenOfKind(keys, token, nowMs, ['invitation']),
  impersonationLink: (token: string) => openTokenOfKind(keys, token, nowMs, ['impersonationTicket']),
  partnerHeader: (token: string) => openPartnerToken(keys, token, nowMs, { issuer }),
};

type Transport = keyof typeof transports;

/** Every kind of token, created by its own function, and its valid uses in the contract. */
const kinds: Record<string, { readonly token: string; readonly opens: readonly Transport[] }> = {
  session: {
    token: sealToken(keys, { userId: 1, ...staff }, options).token,
    opens: ['sessionHeader'],
  },
  bearer: {
    token: sealBearer(keys, { userId: 1, role: 0, isPersonnel: true }, options).token,
    opens: ['bearerHeader'],
  },
  'social callback': {
    token: sealToken(keys, { type: 'socialLogin', userId: 1, provider: 'google' }, options).token,
    opens: ['temporaryLogin', 'socialLogin'],
  },
  'partner login': {
    token: sealToken(
      keys,
      { type: 'partnerLogin', userId: 1, role: 0, defaultPaymentId: 2, accountIds: [1, 2], partnerId: 1 },
      options,
    ).token,
    opens: ['temporaryLogin'],
  },
  'partner login of the replaced system': {
    token: sealToken(keys, { userId: 1, role: 0, defaultPaymentId: 2, accountIds: [1, 2] } as never, options)
      .token,
    opens: ['temporaryLogin'],
  },
  activation: {
    token: sealToken(keys, { type: 'emailVerification', userId: 1, email: 'root@gatehouse.test' }, options)
      .token,
    opens: ['confirmation'],
  },
  'password reset': {
    token: sealToken(keys, { type: 'passwordReset', userId: 1, email: 'root@gatehouse.test' }, options).token,
    opens: ['passwordReset'],
  },
  invitation: {
    token: sealToken(keys, { type: 'invitation', invitationId: 1 }, options).token,
    opens: ['invitation'],
  },
  'link of an impersonation': {
    token: sealToken(keys, { type: 'impersonationTicket', session: 'token' }, options).token,
    opens: ['impersonationLink'],
  },
  'partner JWT': {
    token: sealPartnerToken(keys, { partnerId: 1, partnerName: 'Acme' }, { nowMs, issuer }).token,
    opens: ['partnerHeader'],
  },
  'partner sign-in, even if the partner had the secret of the service': {
    token: sealPartnerSignIn(
      secret,
      { partner: 'Acme', userData: { userId: 1 }, redirectUrl: 'http://127.0.0.1:4010' },
      { nowMs },
    ),
    opens: [],
  },
  'plain form': { token: plainToken(1, nowMs), opens: [] },
};

describe.each(Object.entries(kinds))('%s', (_, { token, opens }) => {
  for (const [transport, open] of Object.entries(transports)) {
    const isOwnUse = opens.some((each) => each === transport);
    it(`${isOwnUse ? 'opens' : 'does not open'} ${transport}`, () => {
      expect(refusalOf(() => open(token)) === 'opened').toBe(isOwnUse);
    });
  }
});
