import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compileCatalogue } from './compiled-messages.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(ROOT, folder, name),
  );

const all = ['apps/console/src', 'apps/portal/src', 'packages/ui/src'].flatMap(filesIn);
const folders = [...new Set(all.filter((path) => path.endsWith('/messages/en.json')))].map((path) =>
  path.replace(/en\.json$/, ''),
);
const sources = all
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
  .map((path) => readFileSync(path, 'utf8'));

const read = (folder: string, language: string) => readFileSync(join(folder, `${language}.json`), 'utf8');
const wordsOf = (json: string) => new Map(Object.entries(JSON.parse(json) as Record<string, string>));

/** The parts that a message inserts: names of values, and tags of elements. A word that a number selects is neither. */
const holesOf = (message: string) =>
  [...new Set(message.match(/(?<!(?:=\d+|\b(?:one|few|many|other)) )\{\w+(?=[,}])|<\w+>/g))].sort();

describe.each(folders)('the messages of %s', (folder) => {
  const english = wordsOf(read(folder, 'en'));
  const german = wordsOf(read(folder, 'de'));

  it('are the same in all languages, with the same values and elements', () => {
    expect([...german.keys()]).toEqual([...english.keys()]);
    expect([...english.keys()]).toEqual([...english.keys()].sort());
    for (const [id, message] of english)
      expect([id, holesOf(german.get(id) ?? '')]).toEqual([id, holesOf(message)]);
  });

  it('are ICU messages, each of them used', () => {
    for (const language of ['en', 'de']) {
      const compiled = Object.keys(compileCatalogue(read(folder, language)));
      expect(compiled.length).toBeGreaterThan(0);
    }
    for (const id of english.keys())
      expect([id, sources.some((source) => source.includes(`'${id}'`))]).toEqual([id, true]);
  });
});

describe.each(['apps/console/src', 'apps/portal/src/signed-in', 'apps/portal/src/signed-out'])(
  'the messages of %s',
  (part) => {
    const isIn = (folder: string) => folder.includes(`${part}/`) || folder.includes('/packages/');

    it.each(['en', 'de'])(
      'have one wording for each name, because they are loaded as one: %s',
      (language) => {
        const said = new Map<string, string>();
        for (const folder of folders.filter(isIn)) {
          for (const [id, message] of wordsOf(read(folder, language))) {
            expect([id, said.get(id) ?? message]).toEqual([id, message]);
            said.set(id, message);
          }
        }
      },
    );
  },
);

it('every kind of mail has a name in words', () => {
  const words = readFileSync(join(ROOT, 'apps/console/src/mail/mail-row.tsx'), 'utf8');
  const kinds = readdirSync(join(ROOT, 'packages/features/src/mail/kinds')).map((file) =>
    file.replace(/\.ts$/, '').replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  );
  expect(kinds).toContain('passwordReset');
  expect(kinds.filter((kind) => !words.includes(`\n  ${kind}: '`))).toEqual([]);
});

it('every group of events that an endpoint can get has a name in words', () => {
  const words = wordsOf(read(join(ROOT, 'packages/ui/src/developers/messages/'), 'en'));
  const types = readFileSync(join(ROOT, 'packages/features/src/event/event-types.ts'), 'utf8');
  const kinds = new Set([...types.matchAll(/^ {2}'(\w+)\.\w+': \{ version/gm)].map(([, kind = '']) => kind));
  expect(kinds).toContain('member');
  const without = [...kinds].filter((kind) => !words.has(`eventKind.${kind}`));
  expect(
    without,
    'add eventKind.<kind> to packages/ui/src/developers/messages, and to event-types-field.tsx',
  ).toEqual([]);
});

it('the check names a message that is not ICU', () => {
  expect(() => compileCatalogue('{"a.b":"{count, plural"}')).toThrow('a.b');
  expect(() => compileCatalogue('{"a.b":1}')).toThrow('a.b');
});
