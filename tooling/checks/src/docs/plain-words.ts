import type { Check, Finding } from '../check.js';
import { readMarkdown } from './read-markdown.js';

interface Row {
  readonly pattern: RegExp;
  readonly message: string;
}

const ROWS: readonly Row[] = [
  {
    pattern: /(?<![\w.~/-])\/(?:home|root|Users|work|tmp|mnt)\/[\w.-]/,
    message: 'a path of one machine: use one relative to the repository, or a temporary folder of the system',
  },
  {
    pattern:
      /(?<![\w-])(?:registry|mirrors?|deb|security)\.[a-z0-9-]+\.(?:org|com|net|io|dev)\b|\bnpmjs\.(?:org|com)\b/i,
    message: 'the host of a package registry: everyone has their own, and package managers know it',
  },
  {
    pattern:
      /\bco-authored-(?:by)\b|\bgenerated (?:with|by) (?:an? )?(?:ai|assistant|model)\b|\bas (?:requested|instructed)\b|\blanguage-model (?:output)\b/i,
    message: 'the project speaks of itself, not of how its text came about',
  },
];

/** Words outside code that announce later work. */
const PROMISE: Row = {
  pattern: /\b(?:TODO|FIXME|TBD|XXX)\b/,
  message: 'do it now, or leave it out: documents hold no promises',
};

/** No file mentions the machine, the network or the circumstances it was written in. */
export const plainWords: Check = {
  name: 'plain-words',
  run: (repository) =>
    repository.paths.flatMap((path) => {
      const text = repository.read(path);
      const lines = text.split('\n').map((content, index) => ({ line: index + 1, text: content }));
      const findings = lines.flatMap((piece) => foundIn(path, piece, ROWS));
      if (path.endsWith('.md'))
        findings.push(...readMarkdown(text).prose.flatMap((piece) => foundIn(path, piece, [PROMISE])));
      else if (/\.(?:sh|ya?ml|sql|example)$|^\.ci\//.test(path))
        findings.push(...lines.flatMap((piece) => foundIn(path, piece, [PROMISE])));
      return findings;
    }),
};

function foundIn(
  path: string,
  { line, text }: { line: number; text: string },
  rows: readonly Row[],
): Finding[] {
  return rows.filter(({ pattern }) => pattern.test(text)).map(({ message }) => ({ path, line, message }));
}
