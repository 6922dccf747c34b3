import { expect, it } from 'vitest';
import { readRawRecords } from './read-bytes.js';
import { readCopyRows } from './read-copy-rows.js';

async function* piecesOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function rowsOf(text: string, table: string, size = 5) {
  const rows = [];
  for await (const { number, fields, problem } of readCopyRows(
    readRawRecords(piecesOf(text, size), { isQuoted: false }),
    table,
  ))
    rows.push([number, fields ?? problem]);
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

it('the rows of a dumped table keep tabs, line breaks and backslashes unchanged, without null and empty fields', async () => {
  expect(await rowsOf(DUMP, 'auth.users')).toEqual([
    [6, { id: 'a', name: 'Zoë', about: '{"text":"a \\"quote\\", a\ttab and a\nline"}' }],
    [7, { id: 'b' }],
    [8, 'has another number of fields than its table'],
  ]);
  expect(await rowsOf(DUMP.replaceAll('\n', '\r\n'), 'auth.other')).toEqual([
    [3, { id: 'x', name: 'Nobody' }],
  ]);
  expect(await rowsOf(DUMP, 'auth.identities')).toEqual([]);
});

it('a line of more than 1 MB in a dump is reported for its row in its own table, and ignored in others', async () => {
  const long = `x\t${'a'.repeat(1024 * 1024)}`;
  const dump = [
    'COPY auth.other (id, about) FROM stdin;',
    long,
    String.raw`\.`,
    'COPY auth.users (id, about) FROM stdin;',
    'a\tfirst',
    long,
    'c\tlast',
    String.raw`\.`,
  ].join('\n');
  expect(await rowsOf(dump, 'auth.users', 65_536)).toEqual([
    [5, { id: 'a', about: 'first' }],
    [6, 'has more than 1 MB'],
    [7, { id: 'c', about: 'last' }],
  ]);
});
