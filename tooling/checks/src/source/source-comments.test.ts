import { describe, expect, it } from 'vitest';
import { repositoryOf } from '../repository.js';
import { sourceComments } from './source-comments.js';

const linesIn = (...lines: string[]) =>
  sourceComments
    .run(repositoryOf({ 'packages/db/src/a.ts': lines.join('\n') }))
    .map((finding) => finding.line);

describe('source comments', () => {
  it.each(['// TODO: later', '/* FIXME */', '/** Does a thing. XXX */', 'export const a = 1; // HACK'])(
    'finds the promise in %s',
    (line) => {
      expect(linesIn('export {};', line)).toEqual([2]);
    },
  );

  it('reads comments between tokens and at the end of the file', () => {
    expect(linesIn('call(', '  1, // TODO', ');', '// FIXME')).toEqual([2, 4]);
  });

  it('leaves strings, templates and regular expressions alone', () => {
    expect(
      linesIn("const a = '// TODO';", `const b = \`/* FIXME \${a} // TODO\`;`, 'const c = /TODO/;'),
    ).toEqual([]);
  });

  it.each([
    '// oxlint-disable-next-line typescript/no-unsafe-type-assertion',
    '// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- why',
    '// @ts-expect-error',
    '// biome-ignore lint/style/noDefaultExport: x',
  ])('finds the suppression without a reason: %s', (line) => {
    expect(linesIn(line, 'export {};')).toEqual([1]);
  });

  it.each([
    '// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema above has checked the shape',
    '// @ts-expect-error: a removed member must not compile',
  ])('accepts the suppression that says why: %s', (line) => {
    expect(linesIn(line, 'export {};')).toEqual([]);
  });
});
