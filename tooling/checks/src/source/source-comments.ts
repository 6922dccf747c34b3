import type { Check } from '../check.js';
import { lineAt } from '../line-at.js';
import { commentsOf, isSourcePath, parseSource } from './parse-source.js';

/** An announcement of later work. Words in a string do not count. */
const PROMISE = /\b(?:TODO|FIXME|XXX|HACK)\b/;

const SUPPRESSION =
  /\b(?:oxlint|eslint)-disable(?:-next-line|-line)?\b|\bbiome-ignore\b|@ts-(?:expect-error|ignore|nocheck)\b/;

/** `… -- reason` for oxlint, `… : reason` for Biome and the compiler: a sentence, not a word. */
const REASON = /(?: -- |: ).{20,}/;

/** Comments announce no later work, and a disabled rule states why that is safe. */
export const sourceComments: Check = {
  name: 'source-comments',
  run: (repository) =>
    repository.paths.filter(isSourcePath).flatMap((path) => {
      const source = parseSource(path, repository.read(path));
      return commentsOf(source).flatMap(({ offset, text }) => {
        const line = lineAt(source.text, offset);
        const found = [];
        if (PROMISE.test(text)) {
          found.push({ path, line, message: 'do it now, or write an issue: comments hold no promises' });
        }
        if (SUPPRESSION.test(text) && !REASON.test(text)) {
          found.push({
            path,
            line,
            message: 'say after ` -- ` or `: ` what guarantees at run time that the rule may rest',
          });
        }
        return found;
      });
    }),
};
