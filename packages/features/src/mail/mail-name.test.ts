import { describe, expect, it } from 'vitest';
import { mailName } from './mail-name.js';

describe('a chosen name in a mail to somebody else', () => {
  it('is shown as it is, up to 60 characters', () => {
    for (const name of [
      'Acme Studio',
      'Birch & Co.',
      "O'Neill Inc.",
      'Zoë ❤',
      'J. R. Smith',
      '日本 株式会社',
    ]) {
      expect(mailName(name)).toBe(name);
    }
    expect(mailName('a'.repeat(60))).toBe('a'.repeat(60));
    expect(mailName('a'.repeat(61))).toBe(`${'a'.repeat(59)}…`);
    expect([...(mailName('😀'.repeat(100)) ?? '')]).toHaveLength(60);
  });

  it('is left out where a mail program would make a link of it, however it is spelled', () => {
    for (const name of [
      'https://evil.test/win',
      'HTTP://evil',
      'ftp://x',
      'www.evil',
      'evil.test',
      'Win now evil.com!',
      'evil．com',
      'evil。com',
      'evil\u200b.com',
      'ev\u00adil.com',
      'evil\ufe0f.com',
      'evil.\u034fcom',
      '\u3164',
      'ａ＠evil',
      'mail me a@b',
      'evil.test/path',
      '//evil',
      '\\\\evil\\share',
      '10.0.0.1',
      `${'x'.repeat(80)} evil.com`,
      '\u200b',
      'two\nlines',
    ]) {
      expect([name, mailName(name)]).toEqual([name, undefined]);
    }
  });
});
