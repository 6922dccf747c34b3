import { expect, it } from 'vitest';
import { readRawRecords } from './read-bytes.js';
import { readCopyRows } from './read-copy-rows.js';

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 5) yield await Promise.resolve(bytes.subarray(at, at + 5));
}

async function rowsOf(text: string, table: string) {
  const rows = [];
  for await (const { number, fields } of readCopyRows(
    readRawRecords(piecesOf(text), { isQuoted: false }),
    table,
  ))
    rows.push([number, fields]);
  return rows;
}

const DUMP = [
  'SET client_encoding = UTF8;',
  'COPY auth.other (id, name) FROM stdin;',
  'x\tNobody',
  String.raw`\.`,
  'COPY auth.users (id, "name", about) FROM stdin;',
  String.raw`a` + '\tZoë\t' + String.raw`{"text":"a \\"quote\\", a\ttab and a\nline"}`,
  `b\t${String.raw`\N`}\t`,
  'c\tonly two',
  String.raw`\.`,
  'COPY auth.users (id) FROM stdin;',
  'no',
].join('\n');

it('a table of a dump has its rows with tabs, line breaks and backslashes as they were, without null and empty fields', async () => {
  expect(await rowsOf(DUMP, 'auth.users')).toEqual([
    [6, { id: 'a', name: 'Zoë', about: '{"text":"a \\"quote\\", a\ttab and a\nline"}' }],
    [7, { id: 'b' }],
    [8, undefined],
  ]);
  expect(await rowsOf(DUMP.replaceAll('\n', '\r\n'), 'auth.other')).toEqual([
    [3, { id: 'x', name: 'Nobody' }],
  ]);
  expect(await rowsOf(DUMP, 'auth.identities')).toEqual([]);
});
