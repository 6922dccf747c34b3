import { describe, expect, it } from 'vitest';
import { generatePassword } from './password-hash.js';
import { passwordPolicy } from './password-policy.js';

const member = { email: 'New.Owner@Acme.test', username: 'Harriet' };
const codesOf = async (password: string) =>
  (await passwordPolicy(password, member)).map((issue) => issue.code);

describe('the password policy', () => {
  it.each([
    'Lantern-Harbor-42',
    'correct horse battery staple',
    'aaaabbbbccccdddd!x',
    'ünïcödé wörds',
    'пароль на каждый день',
    'I met harriet at the gatehouse in may',
    '8 bytes!',
    'x'.repeat(20) + 'yz'.repeat(26),
  ])('accepts %j', async (password) => {
    expect(await codesOf(password)).toEqual([]);
  });

  it.each([
    ['password', 'common'],
    ['12345678', 'common'],
    ['QWERTYUIOP', 'common'],
    ['iloveyou', 'common'],
    ['Password123!', 'common'],
    ['Dragon2024', 'common'],
    ['ｐａｓｓｗｏｒｄ', 'common'],
    ['aaaaaaaaaaaa', 'repetitive'],
    ['xyzxyzxyzxyz', 'repetitive'],
    ['new.owner@acme.test', 'email'],
    ['NEW.OWNER@ACME.TEST!', 'email'],
    ['new.owner1', 'email'],
    ['harriet1', 'username'],
    ['1HARRIET!', 'username'],
    ['gatehouse', 'service_name'],
    ['Gatehouse2026', 'service_name'],
    ['my-gatehouse', 'service_name'],
  ])('refuses %j as %s', async (password, code) => {
    expect(await codesOf(password)).toContain(code);
  });

  it('refuses fewer than 8 characters or more than 72 bytes', async () => {
    expect(await codesOf('k7#Qz!x')).toEqual(['too_short']);
    expect(await codesOf('k7#Qz!xé')).toEqual([]);
    const long = Array.from({ length: 37 }, (_, index) => String.fromCodePoint(0xe0 + (index % 20))).join('');
    expect(await codesOf(long)).toEqual(['too_long']);
    expect(await codesOf('日本語')).toEqual(['too_short']);
    expect(await codesOf('🏠🏡🏘🏚🏗🏢🏬')).toEqual(['too_short']);
    expect(await codesOf('le\u0301g-é\u0302')).toEqual(['too_short']);
    expect(await codesOf('ﷺﷻﷺﷻﷺﷻﷺﷻ')).toContain('too_long');
  });

  it('requires no particular kinds of characters', async () => {
    expect(await codesOf('onlylowercaseletterswithoutanything')).toEqual([]);
    expect(await codesOf('7193046285014739')).toEqual([]);
  });

  it('lets a short username occur by chance, but not be the password', async () => {
    const codes = async (password: string, username: string) =>
      (await passwordPolicy(password, { username })).map((issue) => issue.code);
    expect(await codes('royalpqz', 'al')).toEqual([]);
    expect(await codes('水水水', '水水水')).toContain('username');
  });

  it('works without an e-mail address and a username', async () => {
    expect(await passwordPolicy('Lantern-Harbor-42')).toEqual([]);
    expect(await passwordPolicy('Lantern-Harbor-42', { email: null, username: '' })).toEqual([]);
  });

  it('accepts every generated password', async () => {
    for (let round = 0; round < 200; round++) expect(await codesOf(generatePassword())).toEqual([]);
  });

  it('is fast once the word list is loaded', async () => {
    await passwordPolicy('Lantern-Harbor-42');
    const startedAt = performance.now();
    for (let round = 0; round < 1_000; round++) await passwordPolicy(`Lantern-Harbor-${round}`, member);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
