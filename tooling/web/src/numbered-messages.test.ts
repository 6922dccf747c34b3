import { parseSync } from 'vite';
import { expect, it } from 'vitest';
import { renameMessages, shortNames } from './numbered-messages.js';

const NAMES = shortNames(['bulk.open', 'bulk.done', 'audit.read', 'bulk.done']);

const programOf = (code: string) => parseSync('code.js', code).program;

const inSource = (code: string) => renameMessages(code, programOf(code), NAMES, false);

it('gives each id a name of its own, in the order of the ids', () => {
  expect([...NAMES]).toEqual([
    ['audit.read', 'aa'],
    ['bulk.done', 'ab'],
    ['bulk.open', 'ac'],
  ]);
  const names = [...shortNames(Array.from({ length: 4000 }, (_, index) => `id.${index}`)).values()];
  expect(new Set(names).size).toBe(4000);
});

it('renames messages where they are said', () => {
  expect(inSource("t(isDone ? 'bulk.done' : [t('bulk.open')])")).toBe('t(isDone ? "ab" : [t("ac")])');
  expect(inSource("const WORDS = { done: 'bulk.done', other: 'bulk.other' };")).toBe(
    'const WORDS = { done: "ab", other: \'bulk.other\' };',
  );
});

it('leaves words of the service that are also ids', () => {
  const code = "({ 'audit.read': kind === 'bulk.done' || may.includes('audit.read') || seen['bulk.open'] });";
  expect(inSource(code)).toBe(code);
});

it('renames the keys of a catalogue, and no text', () => {
  const code = 'export default {"bulk.done":["bulk.open"]}';
  expect(renameMessages(code, programOf(code), NAMES, true)).toBe('export default {"ab":["bulk.open"]}');
});
