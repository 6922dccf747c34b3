import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text.js';
import { readLines } from './read-lines.js';

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

  it('have no line for the end of the last', async () => {
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

  it('have no byte-order mark, also where several files were joined', async () => {
    expect(await linesOf(utf8('\uFEFF{"a":1}\n\uFEFF{"b":2}\nx\uFEFFy'))).toEqual([
      '{"a":1}',
      '{"b":2}',
      'x\uFEFFy',
    ]);
  });

  it('are told by number where they are not UTF-8, and the others are read', async () => {
    const bytes = Buffer.concat([
      utf8('Zoë\n'),
      Buffer.from('Jürgen\n', 'latin1'),
      utf8('ok\n'),
      Buffer.from([0xc3]),
    ]);
    expect(await linesOf(bytes)).toEqual(['Zoë', 2, 'ok', 4]);
  });

  it.each([
    ['UTF-16 with its mark', Buffer.from('\uFEFF{"a":1}\n', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('{"a":1}\n', 'utf16le')],
    ['UTF-16 with the other order', Buffer.from('\uFEFF{"a":1}\n', 'utf16le').swap16()],
    ['UTF-16 without a mark in the other order', Buffer.from('{"a":1}\n', 'utf16le').swap16()],
    ['UTF-16 after an empty line', Buffer.from('\n{"a":1}\n', 'utf16le')],
    ['bytes of a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 10])],
  ])('are refused as a whole with a sentence about it: %s', async (_, bytes) => {
    await expect(linesOf(bytes)).rejects.toThrow('is UTF-16, or no text: save it as UTF-8');
    expect(() => decodeText(bytes)).toThrow('is UTF-16, or no text: save it as UTF-8');
  });

  it('are refused where one is longer than a megabyte', async () => {
    await expect(linesOf(Buffer.alloc(1_100_000, 'x'))).rejects.toThrow('has a line of more than 1 MB');
  });
});

describe('a whole text', () => {
  it('is read without its byte-order mark', () => {
    expect(decodeText(utf8('\uFEFF{"name":"Zoë"}'))).toBe('{"name":"Zoë"}');
  });

  it('is refused by the first line that is not UTF-8', () => {
    const bytes = Buffer.concat([utf8('{\n  "name":\n'), Buffer.from('"Jürgen"\n}', 'latin1')]);
    expect(() => decodeText(bytes)).toThrow('line 3 is not UTF-8, perhaps Latin-1');
  });
});
