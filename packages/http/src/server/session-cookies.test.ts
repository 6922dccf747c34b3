import { describe, expect, it } from 'vitest';
import { createSessionCookies } from './session-cookies.js';

const cookies = createSessionCookies(
  { NODE_ENV: 'production', BASE_URL: 'https://door.test', COOKIE_ORIGINS: [] },
  'main',
);

describe('the session in a Cookie header', () => {
  it.each([
    ['alone', '__Host-gatehouse=abc'],
    ['among others', 'a=1; __Host-gatehouse=abc; b=2'],
    ['without a blank after the semicolon', 'a=1;__Host-gatehouse=abc;b=2'],
    ['before one of the same name', '__Host-gatehouse=abc; __Host-gatehouse=other'],
    ['after its name in the value of another', 'a=__Host-gatehouse=evil; __Host-gatehouse=abc'],
    ['after a longer name', 'x__Host-gatehouse=evil; __Host-gatehouse-step=evil; __Host-gatehouse=abc'],
  ])('is found %s', (_, header) => {
    expect(cookies.readSession(header)).toEqual({ kind: 'session', token: 'abc' });
  });

  it.each([
    ['without the header', undefined],
    ['where the cookie is empty', '__Host-gatehouse='],
    ['in the value of another', 'a=__Host-gatehouse=evil'],
    ['after a letter that browsers take for a part of the name', 'a=1; \u00a0__Host-gatehouse=evil'],
    ['in a name without a value', '__Host-gatehouse; a=1'],
  ])('is not found %s', (_, header) => {
    expect(cookies.readSession(header)).toBeUndefined();
  });

  it('is that of an impersonation when there is one', () => {
    const own = '__Host-gatehouse=abc';
    const acting = `${own}; __Host-gatehouse-acting=def`;
    expect(cookies.readSession(acting)).toEqual({ kind: 'acting', token: 'def' });
    expect(cookies.readSession(own)).toEqual({ kind: 'session', token: 'abc' });
    expect(cookies.readSession(acting)).toEqual({ kind: 'acting', token: 'def' });
  });
});
