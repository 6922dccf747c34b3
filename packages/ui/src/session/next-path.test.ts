import { describe, expect, it } from 'vitest';
import { returnAddress } from './next-path.js';

const ORIGINS = ['https://app.example.com', 'http://localhost:3000'];

describe('the address to return to', () => {
  it.each([
    ['https://app.example.com', 'https://app.example.com/'],
    ['https://app.example.com/boards/7?tab=1#top', 'https://app.example.com/boards/7?tab=1#top'],
    ['HTTPS://APP.example.com:443/x', 'https://app.example.com/x'],
    ['http://localhost:3000/a/../b', 'http://localhost:3000/b'],
    ['https://app.example.com/%2F%2Fevil.test', 'https://app.example.com/%2F%2Fevil.test'],
  ])('is %s, at a listed origin', (next, address) => {
    expect(returnAddress(next, ORIGINS)).toBe(address);
  });

  it.each([
    null,
    '',
    '/portal/you',
    'https://evil.test/',
    'https://app.example.com.evil.test/',
    'https://app.example.com:8443/',
    'http://app.example.com/',
    '//app.example.com/',
    '//evil.test/https://app.example.com/',
    '\\\\evil.test',
    'https:\\\\app.example.com',
    'https:/app.example.com',
    'https:app.example.com',
    'https://app.example.com\\@evil.test/',
    'https://evil.test\\@app.example.com/',
    'https://user@app.example.com/',
    'https://user:secret@app.example.com/',
    'https://app.example.com@evil.test/',
    ' https://app.example.com/',
    'https://app.example.com/\n',
    'ht\ntps://app.example.com/',
    'https://app.exa\tmple.com/',
    'https://app.example.com/\u0000',
    'https://app.example.com/\u202e',
    'https%3A%2F%2Fapp.example.com',
    'https://app.example.com%2Eevil.test/',
    'https://app.example.com%40evil.test/',
    'javascript://app.example.com/%0aalert(1)',
    'data:text/html,https://app.example.com/',
    'https://',
    'null',
  ])('is none for %j', (next) => {
    expect(returnAddress(next, ORIGINS)).toBeUndefined();
  });

  it('is none when no origin is listed', () => {
    expect(returnAddress('https://app.example.com/', [])).toBeUndefined();
  });
});
