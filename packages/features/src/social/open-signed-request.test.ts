import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSignedRequest } from './data-deletion.js';

/** The example in Facebook's published guide to signed requests; its secret is the word "secret". */
const SECRET = 'secret';
const PUBLISHED =
  'vlXgu64BQGFSQrY0ZcJBZASMvYvTHu9GQ0YM9rjPSso.eyJhbGdvcml0aG0iOiJITUFDLVNIQTI1NiIsIjAiOiJwYXlsb2FkIn0';

function sign(payload: string): string {
  const body = Buffer.from(payload).toString('base64url');
  return `${createHmac('sha256', SECRET).update(body).digest('base64url')}.${body}`;
}

describe('a signed request', () => {
  it('opens as in the published example', () => {
    expect(openSignedRequest(PUBLISHED, SECRET)).toEqual({ algorithm: 'HMAC-SHA256', 0: 'payload' });
  });

  it('does not open with another secret, signature, payload or algorithm', () => {
    const [signature = '', payload = ''] = PUBLISHED.split('.');
    const other = Buffer.from('{"algorithm":"HMAC-SHA256","0":"payloaf"}').toString('base64url');
    for (const text of [
      `${signature}.${other}`,
      `${signature}`,
      `${signature}.`,
      `.${payload}`,
      `${signature}.${payload}.`,
      `${signature}.${payload}.${payload}`,
      `${signature}=.${payload}`,
      `${signature}.${payload}=`,
      ` ${PUBLISHED}`,
      'not base64!.not base64!',
      '',
      sign('{"algorithm":"HMAC-SHA1"}'),
      sign('{"algorithm":"none"}'),
      sign('{"algorithm":["HMAC-SHA256"]}'),
      sign('{}'),
      sign('null'),
      sign('[]'),
      sign('not json'),
      sign(`{"algorithm":"HMAC-SHA256","long":"${'x'.repeat(9000)}"}`),
    ]) {
      expect([text, openSignedRequest(text, SECRET)]).toEqual([text, undefined]);
    }
    expect(openSignedRequest(PUBLISHED, 'Secret')).toBeUndefined();
  });

  it('has one spelling: any other character anywhere is refused', () => {
    const alphabet = Array.from('ABCXYZabcxyz019-_');
    fc.assert(
      fc.property(fc.nat(PUBLISHED.length - 1), fc.constantFrom(...alphabet), (index, character) => {
        if (PUBLISHED[index] === character) return;
        const changed = PUBLISHED.slice(0, index) + character + PUBLISHED.slice(index + 1);
        expect(openSignedRequest(changed, SECRET)).toBeUndefined();
      }),
    );
  });
});
