import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTokenAnswer } from './token-answer.js';

describe('the answer of a token endpoint', () => {
  it('is parsed by the standard, and with the deviations of providers', () => {
    expect(
      readTokenAnswer({
        access_token: 'a',
        refresh_token: 'r',
        expires_in: 3599,
        scope: 'profile email',
        token_type: 'Bearer',
      }),
    ).toEqual({
      outcome: 'tokens',
      tokens: { accessToken: 'a', refreshToken: 'r', expiresInSeconds: 3599, scopes: ['profile', 'email'] },
    });
    // GitHub: comma-separated scopes, no expiry. Others write the lifetime as text.
    expect(readTokenAnswer({ access_token: 'a', scope: 'user:email,repo', expires_in: '60' })).toMatchObject({
      tokens: { refreshToken: null, expiresInSeconds: 60, scopes: ['user:email', 'repo'] },
    });
    expect(readTokenAnswer({ access_token: 'a', expires_in: -1, scope: 7, refresh_token: '' })).toMatchObject(
      {
        tokens: { refreshToken: null, expiresInSeconds: null, scopes: null },
      },
    );
  });

  it('is a refusal if it names an error, even with tokens', () => {
    expect(readTokenAnswer({ error: 'invalid_grant' })).toEqual({
      outcome: 'refused',
      code: 'invalid_grant',
    });
    expect(readTokenAnswer({ error: 'bad_verification_code', access_token: 'a' })).toEqual({
      outcome: 'refused',
      code: 'bad_verification_code',
    });
    expect(readTokenAnswer({ error: { message: 'No.', type: 'OAuthException', code: 190 } })).toEqual({
      outcome: 'refused',
      code: '190',
    });
  });

  it('never passes its text on as a code', () => {
    for (const error of ['ya29.a0AfH6SMB', 'x'.repeat(300), 'two words', '<b>', 'A1b2C3d4E5']) {
      expect(readTokenAnswer({ error })).toEqual({ outcome: 'refused', code: 'malformed' });
    }
  });

  it('is a refusal if it is anything else', () => {
    const odd = [
      null,
      [],
      'text',
      7,
      {},
      { access_token: '' },
      { access_token: {} },
      { access_token: ['a'] },
    ];
    for (const json of odd) expect(readTokenAnswer(json)).toEqual({ outcome: 'refused', code: 'malformed' });
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(['tokens', 'refused']).toContain(readTokenAnswer(json).outcome);
      }),
    );
  });
});
