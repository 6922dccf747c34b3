import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toFailure } from './request-failure.js';

const shape = z.object({
  name: z.string().min(1).max(5),
  age: z.number().int().min(0).max(150),
  flag: z.boolean(),
  list: z.array(z.string()).min(1).max(2),
  kind: z.enum(['one', 'two']),
  at: z.iso.datetime(),
  code: z.string().regex(/^[a-z]+$/),
  own: z.string().refine((text) => text.startsWith('x'), { message: 'must begin with x' }),
  whole: z.string().refine((text) => text.startsWith('x'), { message: 'Begin with x, please' }),
  either: z.union([z.int().positive(), z.string().min(1).max(3)]),
  step: z.number().multipleOf(0.5),
  more: z.number().positive(),
});

const GOOD = {
  name: 'ada',
  age: 5,
  flag: true,
  list: ['a'],
  kind: 'one',
  at: '2026-01-31T12:00:00Z',
  code: 'abc',
  own: 'x',
  whole: 'x',
  either: 1,
  step: 1,
  more: 1,
};

function said(name: string, value: unknown): string[] {
  const failure = toFailure(shape.safeParse({ ...GOOD, [name]: value }).error);
  return (failure.issues ?? []).map(({ path, message }) => `${path}: ${message}`);
}

describe('an issue of invalid input', () => {
  it.each([
    ['name', undefined, 'This field is missing'],
    ['name', 5, 'This field must be text'],
    ['name', '', 'This field must not be empty'],
    ['name', 'abcdef', 'This field must have at most 5 characters'],
    ['age', '5', 'This field must be a number'],
    ['age', 1.5, 'This field must be a whole number'],
    ['age', -1, 'This field must be at least 0'],
    ['age', 151, 'This field must be at most 150'],
    ['flag', 'yes', 'This field must be true or false'],
    ['list', 'a', 'This field must be a list'],
    ['list', [], 'This field must have at least 1 entry'],
    ['list', ['a', 'b', 'c'], 'This field must have at most 2 entries'],
    ['kind', 'three', 'This field must be one of one, two'],
    ['at', 'noon', 'This field must be an instant such as 2026-01-31T12:00:00Z'],
    ['code', 'A', 'This field is not written in the form it needs'],
    ['own', 'y', 'This field must begin with x'],
    ['whole', 'y', 'Begin with x, please'],
    ['either', undefined, 'This field is missing'],
    ['either', {}, 'This field must be a number or text'],
    ['either', 'abcd', 'This field must have at most 3 characters'],
    ['step', 0.3, 'This field must be a multiple of 0.5'],
    ['more', 0, 'This field must be more than 0'],
  ])('of %s %j is a sentence: %s', (name, value, sentence) => {
    expect(said(name, value)).toEqual([`${name}: ${sentence}`]);
  });

  it('of missing input names the input', () => {
    expect(toFailure(shape.safeParse('text').error).issues).toEqual([
      { path: '', message: 'The input must be an object' },
    ]);
  });
});
