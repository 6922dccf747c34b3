import { describe, expect, it } from 'vitest';
import { isRedirectUri } from './redirect-uri.js';

const ownHosts = new Set(['id.example.com', 'admin.example.com:8443']);

describe('the redirect URI of an application', () => {
  it.each([
    'https://app.example.com',
    'https://app.example.com/callback',
    'https://app.example.com:8443/callback?tenant=1',
    'https://xn--bcher-kva.example/callback',
  ])('may be %s for every type', (uri) => {
    expect(isRedirectUri(uri, { isNative: false, ownHosts })).toBe(true);
    expect(isRedirectUri(uri, { isNative: true, ownHosts })).toBe(true);
  });

  it.each(['http://127.0.0.1/callback', 'http://[::1]:4711/callback', 'com.example.app:/callback'])(
    'may be %s for native types only',
    (uri) => {
      expect(isRedirectUri(uri, { isNative: true, ownHosts })).toBe(true);
      expect(isRedirectUri(uri, { isNative: false, ownHosts })).toBe(false);
    },
  );

  it.each([
    ['without a name of its own', 'https://localhost/callback'],
    ['with an IPv4 address', 'https://192.0.2.1/callback'],
    ['with an IPv4 address in one number', 'https://3221225985/callback'],
    ['with an IPv6 address', 'https://[2001:db8::1]/callback'],
    ['of the service', 'https://id.example.com/callback'],
    ['of the service, with the dot at its end', 'https://id.example.com./callback'],
    ['of the service, at another port', 'https://id.example.com:8443/callback'],
    ['of the service, without its port', 'https://admin.example.com/callback'],
    ['with the dot of a name without others', 'https://localhost./callback'],
    ['of another port of the service', 'https://admin.example.com:8443/callback'],
    ['with a fragment', 'https://app.example.com/callback#top'],
    ['with an empty fragment', 'https://app.example.com/callback#'],
    ['with a user name', 'https://id.example.com@evil.example/callback'],
    ['with an empty password', 'https://:@app.example.com/callback'],
    ['with a wildcard', 'https://*.example.com/callback'],
    ['with steps upwards', 'https://app.example.com/a/../callback'],
    ['with encoded steps upwards', 'https://app.example.com/a/%2e%2E/callback'],
    ['with a backslash', 'https://app.example.com\\callback'],
    ['with a line break', 'https://app.example.com/\ncallback'],
    ['with a blank', 'https://app.example.com/call back'],
    ['in capitals', 'https://APP.example.com/callback'],
    ['with the port of its scheme', 'https://app.example.com:443/callback'],
    ['without slashes', 'https:app.example.com/callback'],
    ['over http', 'http://app.example.com/callback'],
    ['over http at another loopback address', 'http://127.0.0.2/callback'],
    ['over http at a name', 'http://localhost/callback'],
    ['with a scheme of everybody', 'myapp://callback'],
    ['that runs a script', 'javascript:alert(1)'],
    ['with data', 'data:text/html,x'],
    ['that is relative', '/callback'],
    ['that is empty', ''],
    ['of 513 characters', `https://app.example.com/${'a'.repeat(489)}`],
  ])('may not be %s', (_, uri) => {
    expect(isRedirectUri(uri, { isNative: true, ownHosts })).toBe(false);
  });

  it('may be a loopback address for every type where the deployment allows it', () => {
    const rules = { isNative: false, isLocal: true, ownHosts };
    expect(isRedirectUri('http://127.0.0.1:4000/callback', rules)).toBe(true);
    expect(isRedirectUri('com.example.app:/callback', rules)).toBe(false);
    const own = { ...rules, ownHosts: new Set(['127.0.0.1:4000']) };
    expect(isRedirectUri('http://127.0.0.1:4000/callback', own)).toBe(false);
  });

  it('may have 512 characters', () => {
    const uri = `https://app.example.com/${'a'.repeat(488)}`;
    expect(isRedirectUri(uri, { isNative: false, ownHosts })).toBe(true);
  });
});
