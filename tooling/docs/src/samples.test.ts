import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hasText, samplesOf } from '@gatehouse/testkit';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);

/** By document, a text of each sample, and what is said about it. */
type Samples = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Samples that no test can run, because they build, and run all tests; and the step of `.ci/run` that does. */
const RUN_BY_STEP: Samples = { 'README.md': { 'pnpm@10 start': '.ci/fresh-machine' } };

/** Samples that no test runs, and why. */
const NOT_RUN: Samples = {
  'docs/kubernetes.md': { 'docker build': 'needs Docker, and an account of a registry' },
  'packages/client-sdk/README.md': { 'create-next-app': 'downloads Next.js from the registry of npm' },
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

it('every code sample of the documents is run by a test or a step of the full run, or says why not', () => {
  const texts = textsInTests();
  const found = listFiles('*.md').flatMap((document) => {
    if (RENDERED.has(document)) return [];
    const reasons = Object.keys({ ...RUN_BY_STEP[document], ...NOT_RUN[document] });
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
