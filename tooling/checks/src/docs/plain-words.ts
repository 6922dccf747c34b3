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

const GLOSSARY = 'packages/ui/src/messages/glossary.md';

type Language = 'en' | 'de';

/** Terms that `glossary.md` discontinued, in the words of screens and mails. */
const ENDED_TERMS: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:whoever|somebody|nobody|at once|go on|given up|taken? back|put away|hand(?:ed)? over|e-mails?|colleagues?|personnel|primary owner|shut out|other site|user member|manager\/collaborator)\b/i,
  de: /\b(?:Marke|Ersatzcodes?|(?<!E-)Mails?|Personal|Hauptinhaber\w*|hauptsächlich|abgewiesen|zurückgewiesen|aufgegeben|verbucht|angewendet|abgeschaltet|ausgesperrt|aussperren|gemailt|andere Seite|verlang(?:e|en|t))\b/i,
};

/** Messages in which a term has another meaning: "at once" is "at the same time" there. */
const OTHER_MEANINGS: ReadonlySet<string> = new Set(['event.manyNetworks']);

interface Line {
  readonly line: number;
  readonly text: string;
}

interface Words extends Line {
  readonly language: Language;
}

/** A line of a catalog; texts of `also.` ids are what people type. */
const MESSAGE = /^\s*"(?!also\.)([^"]+)":\s*(".*")/;

function wordsOfCatalog(language: Language, lines: readonly Line[]): Words[] {
  return lines.flatMap(({ line, text }) => {
    const [, id = '', words = ''] = MESSAGE.exec(text) ?? [];
    return OTHER_MEANINGS.has(id) ? [] : [{ line, language, text: words.replaceAll(/\{\w+/g, '') }];
  });
}

/** The beginning of the text of a kind of mail in a language: a property, or a constant beside it. */
const BEGINS = /^\s*(?:const )?(en|de)(?::| =)/i;

/** Words in a string of a source. */
const STRING = /"[^"]*"|'[^']*'|`[^`]*`/g;

function wordsOfMail(lines: readonly Line[]): Words[] {
  let language: Language = 'en';
  return lines.flatMap(({ line, text }) => {
    const began = BEGINS.exec(text)?.[1]?.toLowerCase();
    if (began !== undefined) language = began === 'de' ? 'de' : 'en';
    if (text.startsWith('import ')) return [];
    const words = text.replaceAll(/\$\{\w+(?:\([^)]*\))?\}/g, '').match(STRING) ?? [];
    return [{ line, language, text: words.join(' ') }];
  });
}

function wordsIn(path: string, lines: readonly Line[]): Words[] {
  if (/(?:^|\/)mail\/kinds\/[^/]+\.ts$/.test(path) && !path.endsWith('.test.ts')) return wordsOfMail(lines);
  const language = /\/messages\/(en|de)\.json$/.exec(path)?.[1];
  return language === 'en' || language === 'de' ? wordsOfCatalog(language, lines) : [];
}

const endedTermsIn = (path: string, lines: readonly Line[]): Finding[] =>
  wordsIn(path, lines).flatMap(({ line, language, text }) => {
    const term = ENDED_TERMS[language].exec(text)?.[0];
    return term === undefined ? [] : [{ path, line, message: `"${term}" is an ended term: see ${GLOSSARY}` }];
  });

/**
 * No file mentions the machine, the network or the circumstances it was written in, and no catalog or mail has a discontinued
 * term.
 */
export const plainWords: Check = {
  name: 'plain-words',
  run: (repository) =>
    repository.paths.flatMap((path) => {
      const text = repository.read(path);
      const lines = text.split('\n').map((content, index) => ({ line: index + 1, text: content }));
      const findings = lines.flatMap((piece) => foundIn(path, piece, ROWS));
      findings.push(...endedTermsIn(path, lines));
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
