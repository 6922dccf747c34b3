import type { ScimFilter } from '@gatehouse/db/queries/scim-filter';
import { GROUP_SCHEMA, USER_SCHEMA } from './discovery.js';
import { ScimError } from './scim-error.js';

const MAX_BYTES = 1_024;
const MAX_DEPTH = 8;
const MAX_TERMS = 20;

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

/** Control characters, and halves of surrogate pairs: no stored text has them. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

const ATTRIBUTE = /^[a-z$][\w$-]*(\.[a-z$][\w$-]*)?$/i;

/** The refusal of a filter. */
export function invalidFilter(detail: string): ScimError {
  return new ScimError(400, 'invalidFilter', detail);
}

/** The name of an attribute in lower case, without the URN of its schema; undefined for a text that is none. */
export function attributePath(text: string): string | undefined {
  const lower = text.toLowerCase();
  const schema = [USER_SCHEMA, GROUP_SCHEMA].find((urn) => lower.startsWith(`${urn.toLowerCase()}:`));
  const path = schema === undefined ? lower : lower.slice(schema.length + 1);
  return ATTRIBUTE.test(path) ? path : undefined;
}

/**
 * Reads a filter (RFC 7644, section 3.4.2.2). It is measured while it is read, so that none costs more than its bounds:
 * 1 kB, 20 comparisons, 8 brackets within one another.
 * @throws {ScimError} `invalidFilter`
 */
export function parseFilter(text: string): ScimFilter {
  if (Buffer.byteLength(text) > MAX_BYTES) throw invalidFilter('The filter is longer than 1 kB');
  const reader = { text, at: 0, terms: 0 };
  const filter = readOr(reader, 0);
  skipBlanks(reader);
  if (reader.at < text.length) throw invalidFilter(`The filter cannot be read from ${near(reader)} on`);
  return filter;
}

interface Reader {
  readonly text: string;
  at: number;
  terms: number;
}

function near({ text, at }: Reader): string {
  return at >= text.length ? 'the end of the filter' : `"${text.slice(at, at + 20)}"`;
}

function skipBlanks(reader: Reader): void {
  while (reader.text[reader.at] === ' ') reader.at += 1;
}

function takeSign(reader: Reader, sign: string): boolean {
  skipBlanks(reader);
  if (reader.text[reader.at] !== sign) return false;
  reader.at += 1;
  return true;
}

function requireSign(reader: Reader, sign: string): void {
  if (!takeSign(reader, sign)) throw invalidFilter(`The filter lacks ${sign} before ${near(reader)}`);
}

/** The word that comes next, without taking it. */
function nextWord(reader: Reader): string {
  skipBlanks(reader);
  let end = reader.at;
  while (end < reader.text.length && !' ()[]"'.includes(reader.text[end] ?? '')) end += 1;
  return reader.text.slice(reader.at, end);
}

function takeWord(reader: Reader, word: string): boolean {
  if (nextWord(reader).toLowerCase() !== word) return false;
  reader.at += word.length;
  return true;
}

function readOr(reader: Reader, depth: number): ScimFilter {
  const filters = [readAnd(reader, depth)];
  while (takeWord(reader, 'or')) filters.push(readAnd(reader, depth));
  const [only] = filters;
  return filters.length === 1 && only ? only : { kind: 'or', filters };
}

function readAnd(reader: Reader, depth: number): ScimFilter {
  const filters = [readTerm(reader, depth)];
  while (takeWord(reader, 'and')) filters.push(readTerm(reader, depth));
  const [only] = filters;
  return filters.length === 1 && only ? only : { kind: 'and', filters };
}

function readTerm(reader: Reader, depth: number): ScimFilter {
  const isNot = takeWord(reader, 'not');
  if (takeSign(reader, '(')) {
    const filter = readOr(reader, deeper(depth));
    requireSign(reader, ')');
    return isNot ? { kind: 'not', filter } : filter;
  }
  if (isNot) throw invalidFilter('"not" is followed by ( )');
  const word = nextWord(reader);
  const path = attributePath(word);
  if (path === undefined) throw invalidFilter(`There is no attribute at ${near(reader)}`);
  reader.at += word.length;
  if (reader.text[reader.at] === '[') {
    reader.at += 1;
    const filter = readOr(reader, deeper(depth));
    requireSign(reader, ']');
    return { kind: 'within', path, filter };
  }
  reader.terms += 1;
  if (reader.terms > MAX_TERMS) throw invalidFilter('The filter has more than 20 comparisons');
  if (takeWord(reader, 'pr')) return { kind: 'present', path };
  const sent = nextWord(reader);
  const op = COMPARISONS.find((each) => each === sent.toLowerCase());
  if (op === undefined) throw invalidFilter(`There is no operator at ${near(reader)}`);
  reader.at += sent.length;
  return { kind: 'compare', path, op, value: readValue(reader) };
}

function deeper(depth: number): number {
  if (depth >= MAX_DEPTH) throw invalidFilter('The filter has more than 8 brackets within one another');
  return depth + 1;
}

const TEXT = /"(?:[^"\\]|\\.)*"/y;
const NUMBER = /-?\d{1,15}(\.\d{1,15})?(?=[ )\]]|$)/y;

function readValue(reader: Reader): string | number | boolean | null {
  skipBlanks(reader);
  for (const [word, value] of [
    ['true', true],
    ['false', false],
    ['null', null],
  ] as const)
    if (takeWord(reader, word)) return value;
  const [number] = matchAt(NUMBER, reader) ?? [];
  if (number !== undefined) {
    reader.at += number.length;
    return Number(number);
  }
  const [quoted] = matchAt(TEXT, reader) ?? [];
  if (quoted === undefined) throw invalidFilter(`There is no value at ${near(reader)}`);
  reader.at += quoted.length;
  const value = unquoted(quoted);
  if (value === undefined || UNSTORABLE.test(value))
    throw invalidFilter('A text of the filter is not well-formed');
  return value;
}

function matchAt(expression: RegExp, { text, at }: Reader): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

function unquoted(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
