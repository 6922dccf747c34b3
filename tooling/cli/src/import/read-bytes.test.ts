import { expect, it } from 'vitest';
import { readRawRecords } from './read-bytes.js';

/** The texts of records, or the number and the problem of one. */
async function recordsIn(text: string, size: number): Promise<string[]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const records: string[] = [];
  for await (const { number, bytes: own, problem } of readRawRecords(chunks(), { isQuoted: true }))
    records.push(problem === undefined ? String(own) : `line ${number} ${problem}`);
  return records;
}

it('a quote within a field of a CSV file does not swallow the records after it', async () => {
  const records = [
    '\uFEFF"id",name',
    '1,5" disk',
    '2,"two\nlines, ""quoted"""',
    '3;"a\nb"',
    '4,¿"what',
    '5,"",',
  ];
  for (const size of [1, 3, 1000]) expect(await recordsIn(`${records.join('\n')}\n`, size)).toEqual(records);
});

it.each([1000, 65_536, 4_000_000])(
  'a CSV record of more than 1 MB over many lines is skipped up to its end, in pieces of %d bytes',
  async (size) => {
    const long = `2,"${'many ""lines""\n'.repeat(120_000)}"`;
    const most = `4,${'x'.repeat(1024 * 1024 - 2)}`;
    const text = ['id,about', '1,short', long, '3,"behind\nit"', most, `${most}x`, '6,end'].join('\n');
    expect(await recordsIn(text, size)).toEqual([
      'id,about',
      '1,short',
      'line 3 has more than 1 MB',
      '3,"behind\nit"',
      most,
      'line 120007 has more than 1 MB',
      '6,end',
    ]);
  },
);

it('an unclosed quote in a CSV file is reported with its line', async () => {
  const unclosed = 'line 2 has a quote that is not closed, so that nothing behind it is read';
  for (const rest of ['1,"open\n2,x\n', `1,"open\n${'2,x\n'.repeat(400_000)}`])
    expect(await recordsIn(`id,name\n${rest}`, 65_536)).toEqual(['id,name', unclosed]);
});
