import { expect, it } from 'vitest';
import { readRawRecords } from './read-bytes.js';

async function recordsIn(text: string, size: number): Promise<string[]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const records: string[] = [];
  for await (const record of readRawRecords(chunks(), { isQuoted: true })) records.push(String(record.bytes));
  return records;
}

it('a quote within a field of a CSV file swallows none of the records behind it', async () => {
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
