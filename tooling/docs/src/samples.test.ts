import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasText, samplesOf } from '@gatehouse/testkit';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);

/** Samples that no test runs: a text of each, and why. */
const NOT_RUN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'CONTRIBUTING.md': { 'pnpm install': 'installs, and runs the suite that this test belongs to' },
  'README.md': { 'pnpm@10 start': 'builds everything, and runs the suite that this test belongs to' },
  'apps/console/README.md': { 'console build': 'builds what the tests in a browser open' },
  'apps/portal/README.md': {
    'portal build': 'builds what the tests in a browser open',
    'pnpm dev': 'runs until Ctrl-C',
  },
  'docs/kubernetes.md': { 'docker build': 'needs Docker, and the account of a registry' },
  'docs/releasing.md': { 'git tag': 'tags the repository' },
  'packages/client-sdk/README.md': {
    'create-next-app': 'downloads the framework',
    '<script>': 'needs the compiler of Svelte, which no package of the workspace brings',
  },
};

/** Rendered from the code, and compared with it in full. */
const RENDERED = new Set(['docs/schema.md']);

const listFiles = (...patterns: readonly string[]) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((path) => path !== '');

const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** A call of `blockOf`, or of `guide`, which is `blockOf` of the document that the test defines it with. */
const CALL = /\bblockOf\(\s*'([^']+)',\s*(?:text\b|(['"])(.+?)\2)|\bguide\(\s*(['"])(.+?)\4/g;

/** By document, the texts by which tests take its samples. */
function textsInTests(): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const path of listFiles('*.test.ts', '*/test/*.ts')) {
    let guide = '';
    for (const [, named, , own, , ofGuide] of read(path).matchAll(CALL)) {
      if (named !== undefined && own === undefined) guide = named;
      const document = named ?? guide;
      const text = (own ?? ofGuide)?.replaceAll(String.raw`\n`, '\n');
      if (text !== undefined) texts.set(document, [...(texts.get(document) ?? []), text]);
    }
  }
  return texts;
}

it('every code sample of the documents is run by a test, or says why not', () => {
  const texts = textsInTests();
  const found = listFiles('*.md').flatMap((document) => {
    if (RENDERED.has(document)) return [];
    const reasons = Object.keys(NOT_RUN[document] ?? {});
    const samples = samplesOf(document);
    const problems = samples.flatMap((sample) => {
      const isTaken = texts.get(document)?.some((text) => hasText(sample, text)) ?? false;
      const hasReason = reasons.some((text) => hasText(sample, text));
      if (isTaken !== hasReason) return [];
      const advice = isTaken
        ? 'a test runs this sample: remove its reason from NOT_RUN'
        : 'no test runs this sample: take it with blockOf in a test, or add it to NOT_RUN with the reason';
      return [`${document}:${sample.line}: ${advice}`];
    });
    const stale = reasons.filter((text) => !samples.some((sample) => hasText(sample, text)));
    return [
      ...problems,
      ...stale.map((text) => `${document} has no sample with ${text}: remove it from NOT_RUN`),
    ];
  });
  expect(found).toEqual([]);
});
