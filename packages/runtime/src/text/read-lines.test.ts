import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeText, readLines } from './read-lines.js';

/** The lines of a text that arrives in pieces of so many bytes. */
async function linesOf(bytes: Uint8Array, pieceBytes = 65_536): Promise<(string | number)[]> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      await Promise.resolve();
      yield bytes.subarray(at, at + pieceBytes);
    }
  }
  const lines: (string | number)[] = [];
  for await (const { number, text } of readLines(pieces())) lines.push(text ?? number);
  return lines;
}

const utf8 = (text: string) => Buffer.from(text, 'utf8');

describe('the lines of a text', () => {
  it.each([1, 2, 3, 7, 65_536])('are the same however it arrives, in pieces of %i bytes', async (size) => {
    const text = '\uFEFFeins\r\nzwei – ß\n\n日本語 🏠\rvier\r\r\nsechs';
    expect(await linesOf(utf8(text), size)).toEqual([
      'eins',
      'zwei – ß',
      '',
      '日本語 🏠',
      'vier',
      '',
      'sechs',
    ]);
  });

  it('have no empty line after the last one', async () => {
    for (const end of ['', '\n', '\r\n', '\r'])
      expect(await linesOf(utf8(`one\ntwo${end}`))).toEqual(['one', 'two']);
    expect(await linesOf(utf8(''))).toEqual([]);
  });

  it.each(['\u2028', '\u2029', '\u0085', '\u000b', '\u000c'])(
    'do not end at a character inside JSON that ends lines elsewhere: %j',
    async (inside) => {
      const line = JSON.stringify({ name: `Zoë${inside}Mill` });
      const unescaped = `{"name":"Zoë${inside}Mill"}`;
      for (const each of [line, unescaped])
        expect(await linesOf(utf8(`${each}\n${each}\n`))).toEqual([each, each]);
    },
  );

  it('have no byte-order mark, even if several files were joined', async () => {
    expect(await linesOf(utf8('\uFEFF{"a":1}\n\uFEFF{"b":2}\nx\uFEFFy'))).toEqual([
      '{"a":1}',
      '{"b":2}',
      'x\uFEFFy',
    ]);
  });

  it('are reported by number when they are not UTF-8, and the others are read', async () => {
    const bytes = Buffer.concat([
      utf8('Zoë\n'),
      Buffer.from('Jürgen\n', 'latin1'),
      utf8('ok\n'),
      Buffer.from([0xc3]),
    ]);
    expect(await linesOf(bytes)).toEqual(['Zoë', 2, 'ok', 4]);
  });

  it.each([
    ['Windows-1252', Buffer.from([0x93, 0x5a, 0x6f, 0xeb, 0x94])],
    ['Shift_JIS', Buffer.from([0x93, 0xfa, 0x96, 0x7b])],
    ['GB18030 with its mark', Buffer.from([0x84, 0x31, 0x95, 0x33, 0x41])],
    ['CESU-8', Buffer.from([0xed, 0xa0, 0xbc, 0xed, 0xbf, 0xa0])],
    ['an overlong letter', Buffer.from([0xc1, 0x81])],
    ['half a letter before the line end', Buffer.from([0x5a, 0xc3])],
    ['a code point above the last', Buffer.from([0xf4, 0x90, 0x80, 0x80])],
  ])('are reported by number when they are %s', async (_, bytes) => {
    for (const size of [1, 65_536])
      expect(await linesOf(Buffer.concat([utf8('one\n'), bytes, utf8('\nthree\n')]), size)).toEqual([
        'one',
        2,
        'three',
      ]);
  });

  it('have no byte-order mark even when a file has two', async () => {
    expect(await linesOf(utf8('\uFEFF\uFEFF{"a":1}\n'))).toEqual(['{"a":1}']);
  });

  it.each([
    ['UTF-16 with its mark', Buffer.from('\uFEFF{"a":1}\n', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('{"a":1}\n', 'utf16le')],
    ['UTF-16 with the other order', Buffer.from('\uFEFF{"a":1}\n', 'utf16le').swap16()],
    ['UTF-16 without a mark in the other order', Buffer.from('{"a":1}\n', 'utf16le').swap16()],
    ['UTF-16 after an empty line', Buffer.from('\n{"a":1}\n', 'utf16le')],
    [
      'UTF-32 with its mark',
      Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from('{\0\0\0}\0\0\0\n\0\0\0')]),
    ],
    [
      'UTF-32 in the other order',
      Buffer.concat([Buffer.from([0, 0, 0xfe, 0xff]), Buffer.from('\0\0\0{\0\0\0}\0\0\0\n')]),
    ],
    ['UTF-16 of no Latin letter', Buffer.from('\uFEFF日本語', 'utf16le')],
    ['an archive of gzip', gzipSync('{"a":1}\n')],
    ['a spreadsheet', Buffer.from('PK\u0003\u0004\u0014\0\u0006\0')],
    ['bytes of a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 10])],
  ])('are refused as a whole, with a sentence that says why: %s', async (_, bytes) => {
    await expect(linesOf(bytes)).rejects.toThrow('is UTF-16, or no text: save it as UTF-8');
    await expect(linesOf(bytes, 1)).rejects.toThrow('is UTF-16, or no text: save it as UTF-8');
    expect(() => decodeText(bytes)).toThrow('is UTF-16, or no text: save it as UTF-8');
  });

  it.each([65_536, 1_000_001, 9_000_000])(
    'are reported by number when they exceed a megabyte, and the others are read, in pieces of %i bytes',
    async (size) => {
      const most = 'x'.repeat(1024 * 1024);
      for (const end of ['\n', '\r\n', '\r', '']) {
        const text = ['one', `${most}x`, most, '', `${most}${most}y`].join(end === '' ? '\n' : end) + end;
        expect(await linesOf(utf8(text), size)).toEqual(['one', 2, most, '', 5]);
      }
      expect(await linesOf(utf8(`${most}x`), size)).toEqual([1]);
    },
  );
});

describe('a whole text', () => {
  it('is read without its byte-order mark', () => {
    expect(decodeText(utf8('\uFEFF{"name":"Zoë"}'))).toBe('{"name":"Zoë"}');
  });

  it('is refused with the number of the first line that is not UTF-8', () => {
    const bytes = Buffer.concat([utf8('{\n  "name":\n'), Buffer.from('"Jürgen"\n}', 'latin1')]);
    expect(() => decodeText(bytes)).toThrow('line 3 is not UTF-8, perhaps Latin-1');
  });
});
