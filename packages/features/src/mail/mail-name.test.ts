import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailName } from './mail-name.js';

describe('a chosen name in a mail to another person', () => {
  it('is shown unchanged, up to 60 characters', () => {
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

  it('is left out if it has seven digits of any script, with anything but letters between them', () => {
    const digits = [
      '0123456789',
      '٠١٢٣٤٥٦٧٨٩',
      '۰۱۲۳۴۵۶۷۸۹',
      '०१२३४५६७८९',
      '０１２３４５６７８９',
      '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗',
      '⓪①②③④⑤⑥⑦⑧⑨',
      '〇一二三四五六七八九',
      '零壹貳參肆伍陸柒捌玖',
      '零壹贰叁肆伍陆柒捌玖',
    ];
    const digit = fc.constantFrom(...digits).chain((script) => fc.constantFrom(...Array.from(script)));
    const separator = fc.constantFrom(
      '',
      ' ',
      '-',
      '.',
      ' – ',
      '(',
      ') ',
      '·',
      '\u00a0',
      '\u200b',
      '\ufe0f\u20e3',
      '📞',
      '_',
    );
    const number = fc
      .array(fc.tuple(digit, separator), { minLength: 7, maxLength: 15 })
      .map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(
        fc.constantFrom('', 'Call ', 'Rufnummer+'),
        number,
        fc.constantFrom('', ' now'),
        (before, text, after) => {
          expect(mailName(`${before}${text}${after}`)).toBeUndefined();
        },
      ),
    );
    for (const name of [
      'Agency 360',
      'Studio 54',
      'Class of 2026',
      '24/7'.replace('/', ' '),
      '123456',
      '3 x 1234 y 567',
      '三一重工',
      '七匹狼实业',
      '一二三四五六',
      '九九八十一文化',
      '二〇二六年度三井住友',
      '株式会社八十二銀行',
    ])
      expect(mailName(name)).toBe(name);
  });

  it('is left out if it has a scheme, an @name or a dot before the letters of a domain', () => {
    const word = fc.stringMatching(/^[A-Za-zäßжد中]{1,8}$/);
    const top = fc.constantFrom(
      'com',
      'COM',
      'io',
      'xn--p1ai',
      'рф',
      '中国',
      'भारत',
      'ไทย',
      'السعودية',
      'travel',
    );
    const dot = fc.constantFrom('.', '．', '。', '｡', '․', '\u200b.', '.\u00ad');
    const bad = fc.oneof(
      fc.tuple(
        fc.constantFrom('tel', 'TEL', 'https', 'mailto', 'sms', 'whatsapp', 'ｔｅｌ'),
        fc.constantFrom(':', '：', ' :', '∶'),
        word,
      ),
      fc.tuple(fc.constantFrom('@', '＠', '﹫'), word),
      fc.tuple(word, dot, top),
      fc.tuple(fc.constantFrom(') ', '”', '-'), dot, top),
    );
    fc.assert(
      fc.property(word, bad, word, (before, parts, after) => {
        expect(mailName(`${before} ${parts.join('')} ${after}`)).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
    expect(mailName('Project: Alpha')).toBe('Project: Alpha');
  });

  it('is left out if a mail program would make a link of it, however it is spelled', () => {
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
