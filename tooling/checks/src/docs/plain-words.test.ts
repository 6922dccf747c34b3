import { describe, expect, it } from 'vitest';
import { repositoryOf } from '../repository.js';
import { plainWords } from './plain-words.js';

const linesIn = (path: string, ...lines: string[]) =>
  plainWords.run(repositoryOf({ [path]: lines.join('\n') })).map((finding) => finding.line);

/** The fixtures are concatenated, because this file is checked as well. */
const machinePath = (folder: string) => `see ${['', folder, 'someone', 'file'].join('/')}`;
const host = (...labels: string[]) => labels.join('.');

describe('the check of plain words', () => {
  it.each(['home', 'root', 'Users', 'work', 'tmp'])('finds a path of one machine, below %s', (folder) => {
    expect(linesIn('packages/db/src/open.ts', '', machinePath(folder))).toEqual([2]);
  });

  it.each(['a/home/b', 'https://example.com/home/b', './work/b', '`/usr/sbin/mariadbd`', '/auth/me'])(
    'ignores %s',
    (text) => {
      expect(linesIn('README.md', text)).toEqual([]);
    },
  );

  it.each([
    host('registry', 'npmjs', 'org'),
    host('npmjs', 'com'),
    host('deb', 'debian', 'org'),
    host('mirror', 'example', 'net'),
  ])('finds the registry host %s, in the lock file too', (name) => {
    expect(linesIn('pnpm-lock.yaml', `tarball: https://${name}/a.tgz`)).toEqual([1]);
  });

  it('finds text about how a text was written', () => {
    expect(linesIn('README.md', ['Co-authored', 'by: A'].join('-'), ['as', 'requested'].join(' '))).toEqual([
      1, 2,
    ]);
  });

  it.each([
    ['en', 'Whoever sent it may not invite people.'],
    ['en', 'The mail was given up.'],
    ['de', 'Sieh in deine Mails.'],
    ['de', 'Die Marke stimmt nicht.'],
    ['de', 'Deine Organisation verlangt das.'],
  ])('finds a discontinued term in a catalog of %s: %s', (language, text) => {
    for (const folder of ['apps/console/src/home', 'apps/portal/src/signed-in', 'packages/ui/src/team'])
      expect(linesIn(`${folder}/messages/${language}.json`, '{', `  "a.b": "${text}"`)).toEqual([2]);
  });

  it('finds a discontinued term in a mail, in the language of the mail', () => {
    const mail = (en: string, de: string) => [
      "import { mailed } from './nobody.js';",
      'compose: {',
      '    en: ({ mail }) => ({',
      `      subject: ${en},`,
      '    }),',
      '    de: ({ mail }) => ({',
      `      subject: ${de},`,
      '    }),',
    ];
    const found = (en: string, de: string) =>
      linesIn('packages/features/src/mail/kinds/new.ts', ...mail(en, de));
    expect(found("'Nobody asked'", "'Sieh in deine Mails'")).toEqual([4, 7]);
    expect(found('"It\'s for whoever asks"', `\`Die Marke \${mail}\``)).toEqual([4, 7]);
    expect(found("'Your mail'", "'Deine E-Mails'")).toEqual([]);
    expect(found(`\`Sent to \${nobody}\``, "'Deine E-Mails'")).toEqual([]);
  });

  it('ignores a message in which a term has another meaning', () => {
    const path = 'packages/ui/src/security/messages/en.json';
    expect(linesIn(path, '  "event.manyNetworks": "at once"', '  "event.other": "at once"')).toEqual([2]);
  });

  it('ignores ids, values and kept terms of a catalog', () => {
    expect(
      linesIn('apps/console/src/messages/de.json', '  "mail.personal": "E-Mails an {personal}"'),
    ).toEqual([]);
    expect(linesIn('apps/portal/src/home/home.ts', '  "a.b": "Whoever"')).toEqual([]);
  });

  it('finds promises in documents, workflows and settings, but not where code names them', () => {
    const promise = ['TO', 'DO'].join('');
    expect(linesIn('README.md', promise, `\`${promise}\``)).toEqual([1]);
    expect(linesIn('.ci/run', `# ${promise}`)).toEqual([1]);
    expect(linesIn('pnpm-workspace.yaml', `# ${promise}`)).toEqual([1]);
  });
});
