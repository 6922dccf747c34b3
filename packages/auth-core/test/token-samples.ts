import { createSecretKey } from 'node:crypto';
import { AES } from 'crypto-js';
import jwt from 'jsonwebtoken';
import { openBearer, sealBearer } from '../src/tokens/bearer.js';
import { openPartnerToken, sealPartnerToken } from '../src/tokens/partner-token.js';
import { openToken, sealToken } from '../src/tokens/sealed-token.js';
import { createTokenKeys } from '../src/tokens/token-keys.js';
import { observedSystem } from './observed-system.js';
import { refusalOf } from './refusal-of.js';

export const secret = 'a secret of more than thirty-two bytes';
export const keys = createTokenKeys({ secret });
export const nowMs = 1_700_000_000_000;
export const now = nowMs / 1000;
export const session = { userId: 3, role: 1, defaultPaymentId: 2, accountId: 1, isPersonnel: false };
export const good = sealToken(keys, session, { nowMs, ttlSeconds: 600 });
export const goodBearer = sealBearer(
  keys,
  { userId: 3, role: 1, isPersonnel: false },
  { nowMs, ttlSeconds: 600 },
);
export const goodPartner = sealPartnerToken(
  keys,
  { partnerId: 1, partnerName: 'Acme' },
  { nowMs, issuer: 'gatehouse' },
);

export const refusal = (token: string, atMs = nowMs) => refusalOf(() => openToken(keys, token, atMs));
export const bearerRefusal = (token: string, atMs = nowMs) => refusalOf(() => openBearer(keys, token, atMs));
export const partnerRefusal = (token: string, atMs = nowMs) =>
  refusalOf(() => openPartnerToken(keys, token, atMs, { issuer: 'gatehouse' }));

export const sealed = (payload: unknown) => observedSystem.seal(payload, secret);

export function encryptedText(text: string): string {
  const data = AES.encrypt(text, secret).toString();
  return jwt.sign({ data, exp: now + 60 }, createSecretKey(Buffer.from(secret)));
}
