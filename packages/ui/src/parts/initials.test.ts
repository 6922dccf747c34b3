import { expect, it } from 'vitest';
import { initialsOf } from './initials.js';

it.each([
  ['Olivia Marsh', 'OM'],
  ['Jörg-Maximilian Freiherr von Ötting', 'JÖ'],
  ['mina.sato', 'M'],
  ['owner@acme.test', 'O'],
  ['<b>Ada</b> "Lovelace"', 'BL'],
  ['e\u0301mile zola', 'E\u0301Z'],
  ['山田 太郎', '山太'],
  ['محمد علي', 'مع'],
  ['  ', ''],
  ['!!! ???', ''],
])('takes the first letters of the first and the last word of %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
