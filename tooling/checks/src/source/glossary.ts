import ts from 'typescript';
import type { Check, Finding } from '../check.js';
import { lineAt } from '../line-at.js';
import { isSourcePath, nodesOf, parseSource } from './parse-source.js';

/** Our former words, no longer used in names, and the common terms for them. */
const OLD_WORDS: Readonly<Record<string, string>> = {
  kit: 'services',
  turns: 'a bounded queue',
  pacer: 'an admission queue',
  roster: 'the membership cache, or a list of members',
  rosters: 'the membership cache, or a list of members',
  door: 'transport',
  doors: 'transports',
  legs: 'the test matrix',
  floors: 'layers',
  strangers: 'unauthenticated',
};

const OLD_NAMES: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /^hold[A-Z]/, instead: 'lock…' },
  { pattern: /^note[A-Z]/, instead: 'record…' },
  { pattern: /^tellDenied$/, instead: 'logDenied' },
  { pattern: /^keepAside$/, instead: 'recordRejected' },
  {
    pattern: /^take(LimitPoint|Point|SocialState)$/,
    instead: 'consumeLimit, enforceLimit or consumeSocialState',
  },
  { pattern: /^giveBack/, instead: 'refund…' },
  { pattern: /^(add|print)Figures$/, instead: 'registerMetrics or printMeasurements' },
  { pattern: /^(learnNewNames|admitMember)$/, instead: 'nameIndexing or registerMember' },
  { pattern: /^isProving$/, instead: 'isStressRun' },
  { pattern: /^WriteTurn$/, instead: 'WriteLock' },
];

/** A log field and a metric's label, both read by operators. */
const ON_THE_WIRE: Readonly<Record<string, readonly string[]>> = {
  'packages/runtime/src/log/log.ts': ['door'],
  'packages/runtime/src/metrics/create-metrics.ts': ['door'],
};

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .map((word) => word.toLowerCase());

function insteadOf(name: string): string | undefined {
  const row = OLD_NAMES.find(({ pattern }) => pattern.test(name));
  if (row) return row.instead;
  const word = wordsOf(name).find((each) => Object.hasOwn(OLD_WORDS, each));
  return word === undefined ? undefined : OLD_WORDS[word];
}

/** Names use common terms: no identifier or file has one of the replaced words. */
export const glossary: Check = {
  name: 'glossary',
  run: (repository) =>
    repository.paths
      .filter((path) => isSourcePath(path) && !path.startsWith('tooling/checks/'))
      .flatMap((path) => {
        const source = parseSource(path, repository.read(path));
        const named = [...nodesOf(source)].filter(ts.isIdentifier);
        const findings = named.flatMap((node): Finding[] => {
          const instead = insteadOf(node.text);
          if (instead === undefined || ON_THE_WIRE[path]?.includes(node.text)) return [];
          return [
            { path, line: lineAt(source.text, node.getStart()), message: `\`${node.text}\`: say ${instead}` },
          ];
        });
        const file = path.split('/').at(-1)?.split('.') ?? [];
        const old = file.flatMap(wordsOf).find((word) => Object.hasOwn(OLD_WORDS, word));
        const instead = file.includes('proof') ? '.stress.test.ts' : OLD_WORDS[old ?? ''];
        if (instead !== undefined) findings.push({ path, line: 1, message: `\`${path}\`: say ${instead}` });
        return findings;
      }),
};
