import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { BillingProvider } from '../core/billing/billing-event.js';
import { webhookSignatureProblem } from './webhook-signature.js';

const NOW_MS = 1_790_000_000_500;
const NOW = 1_790_000_000;
const SECRET = 'whsec_of_this_endpoint';
const BODY = '{"id":"evt_1","name":"Ünï"}';

const hmac = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex');

/** The header of a provider, built by its own guide. */
const HEADERS: Readonly<Record<BillingProvider, (time: number | string, ...secrets: string[]) => string>> = {
  stripe: (time, ...secrets) =>
    [`t=${time}`, ...secrets.map((secret) => `v1=${hmac(`${time}.${BODY}`, secret)}`)].join(','),
  paddle: (time, ...secrets) =>
    [`ts=${time}`, ...secrets.map((secret) => `h1=${hmac(`${time}:${BODY}`, secret)}`)].join(';'),
};

function problem(
  provider: BillingProvider,
  header: string | undefined,
  { body = BODY, secrets = [SECRET] }: { body?: string | Buffer; secrets?: string[] } = {},
) {
  return webhookSignatureProblem(provider, {
    header,
    body: typeof body === 'string' ? Buffer.from(body) : body,
    secrets,
    nowMs: NOW_MS,
  });
}

describe('the signature of known vectors', () => {
  it.each([
    ['stripe', 't=1790000000,v1=4c0c6d20a24a798f2ea3d76f9f65ba2777e2abdd91c60b3de2418dcb6e5110a1'],
    ['paddle', 'ts=1790000000;h1=e99b23dffb46a49ab6aa0612433d4d5a8763f0f7eb804469efd65b4a6f6ba3ee'],
  ] as const)('equals, for %s, the one that OpenSSL computes', async (provider, header) => {
    expect(await problem(provider, header, { body: '{}', secrets: ['k-of-the-vector'] })).toBeUndefined();
  });
});

describe.each(['stripe', 'paddle'] as const)('a signature of %s', (provider) => {
  const header = HEADERS[provider];

  it('is accepted over exactly those bytes, with any valid secret, within five minutes in both directions', async () => {
    expect(await problem(provider, header(NOW, SECRET))).toBeUndefined();
    expect(await problem(provider, header(NOW, SECRET), { secrets: ['next', SECRET] })).toBeUndefined();
    expect(await problem(provider, header(NOW, 'next', SECRET))).toBeUndefined();
    expect(await problem(provider, header(NOW - 300, SECRET))).toBeUndefined();
    expect(await problem(provider, header(NOW + 300, SECRET))).toBeUndefined();
  });

  it('is refused over other bytes, with other secrets, too early and too late', async () => {
    expect(await problem(provider, header(NOW, SECRET), { body: `${BODY} ` })).toBe('mismatch');
    expect(await problem(provider, header(NOW, SECRET), { body: '' })).toBe('mismatch');
    expect(await problem(provider, header(NOW, 'other'))).toBe('mismatch');
    expect(await problem(provider, header(NOW - 301, SECRET))).toBe('too_old');
    expect(await problem(provider, header(NOW + 301, SECRET))).toBe('too_new');
    expect(await problem(provider, header(NOW - 301, 'other'))).toBe('mismatch');
  });

  it('is refused when no secret is set, even one made with an empty secret', async () => {
    expect(await problem(provider, header(NOW, ''), { secrets: [] })).toBe('no_secret');
    expect(await problem(provider, header(NOW, 'undefined'), { secrets: [] })).toBe('no_secret');
  });

  it('is refused when it is missing or not well-formed', async () => {
    const good = header(NOW, SECRET);
    const separator = provider === 'stripe' ? ',' : ';';
    const [time = '', signature = ''] = good.split(separator);
    expect(await problem(provider, undefined)).toBe('no_signature');
    expect(await problem(provider, '')).toBe('no_signature');
    for (const odd of [
      'x',
      '=',
      separator.repeat(100),
      time,
      signature,
      [time, time, signature].join(separator),
      good.replace(String(NOW), `${NOW}.0`),
      good.replace(String(NOW), '-1'),
      good.replace(String(NOW), 'Infinity'),
      good.replace(String(NOW), '9'.repeat(400)),
      [time, ...Array.from({ length: 11 }, () => signature)].join(separator),
    ]) {
      expect([odd, await problem(provider, odd)]).toEqual([odd, 'malformed']);
    }
    for (const odd of [
      good.slice(0, -1),
      good.toUpperCase().replace(/^TS?/, (key) => key.toLowerCase()),
      `${good}00`,
    ]) {
      expect(['malformed', 'mismatch']).toContain(await problem(provider, odd));
    }
  });

  it('is refused over bytes that are not UTF-8 but look the same as text', async () => {
    const text = BODY.replace('Ünï', '\uFFFD');
    const signed = `${NOW}${provider === 'stripe' ? '.' : ':'}${text}`;
    const over = header(NOW, SECRET).replace(/[0-9a-f]{64}/, hmac(signed));
    const bytes = Buffer.from(text.replace('\uFFFD', 'ÿ'), 'latin1');
    expect(await problem(provider, over, { body: text })).toBeUndefined();
    expect(await problem(provider, over, { body: bytes })).toBe('mismatch');
  });

  it('is not accepted in the format of the other provider', async () => {
    const other = provider === 'stripe' ? 'paddle' : 'stripe';
    expect(await problem(provider, HEADERS[other](NOW, SECRET))).toBe('malformed');
  });
});
