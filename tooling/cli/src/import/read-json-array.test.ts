import { describe, expect, it } from 'vitest';
import { readJsonArray } from './read-json-array.js';

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function objectsIn(
  text: string,
  { field = 'users', size = 7 }: { field?: string | null; size?: number } = {},
) {
  const found: [number, unknown][] = [];
  for await (const { number, bytes } of readJsonArray(inPieces(text, size), field ?? undefined))
    found.push([number, JSON.parse(bytes.toString())]);
  return found;
}

const PEOPLE = [
  { id: 'a', text: 'quotes " and \\ and \\" and } ] { [', deep: { users: [{ id: 'x' }] } },
  { id: 'ü', list: [[], [{}], 'users'] },
  {},
];

describe('the objects in a list of a JSON file', () => {
  it.each([1, 2, 3, 64, 10_000])('are read whole from pieces of %d bytes', async (size) => {
    const file = {
      realm: 'users',
      before: { users: [{ id: 'no' }] },
      others: [{ id: 'no', users: [{ id: 'no' }] }],
      users: PEOPLE,
      after: [{ id: 'no' }],
    };
    for (const text of [JSON.stringify(file), `\uFEFF${JSON.stringify(file, null, 2)}\n`])
      expect((await objectsIn(text, { size })).map(([, value]) => value)).toEqual(PEOPLE);
  });

  it('have the number of the line at which they begin', async () => {
    expect(await objectsIn('{\n"users": [\n{"id":"a"},\n\n{\n"id":"b"}\n]}')).toEqual([
      [3, { id: 'a' }],
      [5, { id: 'b' }],
    ]);
  });

  it('are none if the field is not a list, or does not exist', async () => {
    expect(await objectsIn('{"users":{"users":[{"id":"a"}]}}')).toEqual([]);
    expect(await objectsIn('{"members":[{"id":"a"}]}')).toEqual([]);
    expect(await objectsIn('{"users":["a",1,null,[{"id":"a"}]]}')).toEqual([]);
  });

  it.each(['', ' \n', '{"users":[{"id":"a"}', '[{"users":[]}]', 'id,email'])(
    'are refused with the file %j, which is not a complete JSON object',
    async (text) => {
      await expect(objectsIn(text)).rejects.toThrow(/is no whole JSON object|is a list, not an object/);
    },
  );

  it.each([1000, 65_536, 9_000_000])(
    'are skipped to their end when they exceed 1 MB, in pieces of %d bytes, and later objects are read',
    async (size) => {
      const long = `{"id":"b","about":"\\"}]${'a'.repeat(1024 * 1024)}","list":[${'{},'.repeat(500_000)}{}]}`;
      const most = `{"id":"${'c'.repeat(1024 * 1024 - 9)}"}`;
      const text = `{"${'n'.repeat(2_000_000)}": 1, "users":[{"id":"a"},\n${long},\n${most}, {"id":"d"}]}`;
      const found = [];
      for await (const { number, bytes, problem } of readJsonArray(inPieces(text, size), 'users'))
        found.push([number, problem ?? bytes.length]);
      expect(found).toEqual([
        [1, 10],
        [2, 'has more than 1 MB'],
        [3, 1024 * 1024],
        [3, 10],
      ]);
    },
  );

  it.each([1, 3, 64])('are those of a file that is a list, from pieces of %d bytes', async (size) => {
    const text = JSON.stringify([...PEOPLE, 'nobody', [{ id: 'no' }]], null, 1);
    const found = await objectsIn(text, { field: null, size });
    expect(found.map(([, value]) => value)).toEqual(PEOPLE);
  });

  it.each(['', '{"users":[]}', '[{"id":"a"}', 'id,email'])(
    'are refused with the file %j, which is not a complete list',
    async (text) => {
      await expect(objectsIn(text, { field: null })).rejects.toThrow(
        /is no whole JSON list|is an object, not a list/,
      );
    },
  );
});
