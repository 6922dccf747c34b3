import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Delivery, isEventRefused, verifyEvent } from './events.js';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const [secret, other] = [newSecret(), newSecret()];

const event = {
  id: 'evt_p0mX2b8kQ7dWc3rLhVn1TzAe',
  type: 'membership.added',
  version: 1,
  timestamp: '2026-11-27T09:14:03.120Z',
  subject: 'member:8',
  subjectVersion: 4,
  accountId: 1,
  actor: { kind: 'member', id: 3 },
  data: { memberId: 8, accountId: 1, roleType: 3, source: 'owner' },
};

/** A delivery as the service signs it. */
function delivery({
  by = [secret],
  ageSeconds = 0,
  body = JSON.stringify(event),
  id = event.id,
}: {
  by?: readonly string[];
  ageSeconds?: number;
  body?: string;
  id?: string;
} = {}): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const signatures = by.map((each) => {
    const key = Buffer.from(each.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
    body,
  };
}

const codeOf = (given: Delivery, options: Parameters<typeof verifyEvent>[1] = { secret }) =>
  verifyEvent(given, options).then(
    () => 'verified',
    (error: unknown) => (isEventRefused(error) ? error.code : error),
  );

describe('a delivery of an event', () => {
  it('is verified as text and as bytes, with headers of Node, of Fetch, and in any case', async () => {
    const { headers, body } = delivery();
    expect(await verifyEvent({ headers, body }, { secret })).toEqual(event);
    const bytes = new TextEncoder().encode(body);
    expect(await verifyEvent({ headers: new Headers(headers), body: bytes }, { secret })).toEqual(event);
    const foreign = { get: (name: string) => headers[name] ?? null } as Headers;
    expect(await verifyEvent({ headers: foreign, body }, { secret })).toEqual(event);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    expect(await verifyEvent({ headers: upper, body: Buffer.from(body) }, { secret })).toEqual(event);
  });

  it('determines the form of its data by its type', async () => {
    const told = await verifyEvent(delivery(), { secret });
    if (told.type !== 'membership.added') throw new Error(told.type);
    const roleType: number = told.data.roleType;
    // @ts-expect-error -- a membership has no email
    expect([roleType, told.data.email]).toEqual([3, undefined]);
  });

  it('is verified during a rotation of the secret by either side', async () => {
    expect(await codeOf(delivery({ by: [other, secret] }))).toBe('verified');
    expect(await codeOf(delivery(), { secret: [other, secret] })).toBe('verified');
    expect(await codeOf(delivery({ by: [other] }))).toBe('wrong_signature');
  });

  it.each<[string, Delivery, string]>([
    ['another body', { ...delivery(), body: JSON.stringify({ ...event, accountId: 2 }) }, 'wrong_signature'],
    ['one more blank', { ...delivery(), body: `${JSON.stringify(event)} ` }, 'wrong_signature'],
    [
      'another id',
      { ...delivery(), headers: { ...delivery().headers, 'webhook-id': 'evt_x' } },
      'wrong_signature',
    ],
    [
      'no signature',
      { ...delivery(), headers: { ...delivery().headers, 'webhook-signature': '' } },
      'wrong_signature',
    ],
    [
      'a signature of another version',
      { ...delivery(), headers: { ...delivery().headers, 'webhook-signature': 'v1a,x v2,y %' } },
      'wrong_signature',
    ],
    ['no headers', { headers: {}, body: '{}' }, 'missing_headers'],
    [
      'no number for a time',
      { ...delivery(), headers: { ...delivery().headers, 'webhook-timestamp': '1e9' } },
      'missing_headers',
    ],
    ['an old time', delivery({ ageSeconds: 301 }), 'too_old'],
    ['a time to come', delivery({ ageSeconds: -302 }), 'too_old'],
    ['a body that is no JSON', delivery({ body: 'hello' }), 'malformed_body'],
    ['a body that is null', delivery({ body: 'null' }), 'malformed_body'],
    ['the event of another id', delivery({ id: 'evt_other' }), 'malformed_body'],
  ])('is refused with %s', async (_, given, code) => {
    expect(await codeOf(given)).toBe(code);
  });

  it('accepts the tolerance that the program sets', async () => {
    expect(await codeOf(delivery({ ageSeconds: 900 }), { secret, toleranceSeconds: 1000 })).toBe('verified');
    expect(await codeOf(delivery({ ageSeconds: 100 }), { secret, toleranceSeconds: 60 })).toBe('too_old');
    expect(await codeOf(delivery(), { secret, toleranceSeconds: Number('') / 0 })).toBe('too_old');
  });

  it('explains mistakes of the program: a body already parsed, a string that is not a secret', async () => {
    const parsed: object = { ...delivery(), body: event };
    await expect(verifyEvent(parsed as Delivery, { secret })).rejects.toThrow(TypeError);
    for (const wrong of ['', 'whsec_', 'whsec_%', 'secret', []])
      await expect(verifyEvent(delivery(), { secret: wrong })).rejects.toThrow(/whsec_|No secret/);
  });
});
