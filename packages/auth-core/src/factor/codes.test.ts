import { describe, expect, it } from 'vitest';
import { generateBackupCodes, readBackupCode, readDigits } from './one-time-codes.js';

describe('a code as people type it', () => {
  it('may contain spaces and hyphens', () => {
    for (const typed of ['123456', ' 123 456 ', '123-456', '12 34\t56'])
      expect(readDigits(typed, 6)).toBe('123456');
  });

  it('may use the digits of any script, and the invisible characters of a copied mail', () => {
    for (const typed of [
      '١٢٣٤٥٦',
      '۱۲۳۴۵۶',
      '१२३४५६',
      '１２３４５６',
      '𝟏𝟐𝟑𝟒𝟓𝟔',
      '𝟷𝟸𝟹𝟺𝟻𝟼',
      '123\u200b456',
      '\ufeff123456',
      '\u200e123456\u200f',
      '123\u00a0456',
      '123\u2013456',
      '123\u2011456',
      '12\u00ad3456',
      '১২৩৪৫৬',
      '௧௨௩௪௫௬',
      '๑๒๓๔๕๖',
      '១២៣៤៥៦',
      '߁߂߃߄߅߆',
      '𞥑𞥒𞥓𞥔𞥕𞥖',
      '🯱🯲🯳🯴🯵🯶',
      '\u2066123456\u2069',
      '\u202b123456\u202c',
      '123\u2060456',
      '123\u202f456',
      '123\u2007456',
      '123\u3000456',
      '123\u2212456',
      '123－456',
      '123\n456\r\n',
    ])
      expect(readDigits(typed, 6)).toBe('123456');
    expect(readDigits('०९६०९६', 6)).toBe('096096');
  });

  it('must have exactly the expected number of digits', () => {
    for (const typed of [
      '',
      '12345',
      '1234567',
      '12345a',
      '1e5000',
      '+12345',
      '12345½',
      '１２３４５',
      '一二三四五六',
      'ⅠⅡⅢⅣⅤⅥ',
      '፩፪፫፬፭፮',
      '12345٦7',
      '0x1234',
      '123,456',
      '123456e0',
    ])
      expect(readDigits(typed, 6)).toBeUndefined();
  });
});

describe('backup codes', () => {
  it('are made in tens, have 65 bits each, and never repeat', () => {
    const codes = [...generateBackupCodes(), ...generateBackupCodes()];
    expect(new Set(codes).size).toBe(20);
    for (const code of codes)
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{5}$/);
  });

  it("are read by Crockford's rules: any case, O for 0, I and L for 1", () => {
    expect(readBackupCode('o1iL-abcd efghj')).toBe('0111ABCDEFGHJ');
    for (const code of generateBackupCodes())
      expect(readBackupCode(code.toLowerCase())).toBe(code.replaceAll('-', ''));
    expect(readBackupCode('０１１１\u2013ａｂｃｄ\u200befghj')).toBe('0111ABCDEFGHJ');
    for (const typed of ['', '0111ABCDEFGH', '0111ABCDEFGHJK', '0111ABCDEFGHU', '0111ABCDEFGHÄ'])
      expect(readBackupCode(typed)).toBeUndefined();
  });
});
