import type { ZodError } from 'zod';

type Issue = ZodError['issues'][number];

/** The prefixes of the validator's own messages. Custom messages begin differently. */
const OF_THE_VALIDATOR = /^(Invalid|Too (small|big)|Unrecognized)\b/;

/** A sentence about one wrong value of an input, for the sender. */
export function issueSentence(issue: Issue): string {
  const said = OF_THE_VALIDATOR.test(issue.message) ? predicate(issue) : issue.message;
  return toSentence(issue.path.join('.'), said);
}

/** Completes the messages of schemas: `must be a number` has no subject; other messages are complete. */
export function toSentence(path: string, said: string): string {
  if (!/^[a-z]/.test(said)) return said;
  return `${path === '' ? 'The input' : 'This field'} ${said}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a URL',
  datetime: 'an instant such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
};

function predicate(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return 'is missing';
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return bound('at least', Number(issue.minimum), issue);
    case 'too_big':
      return bound('at most', Number(issue.maximum), issue);
    case 'not_multiple_of':
      return issue.divisor === 1 ? 'must be a whole number' : `must be a multiple of ${issue.divisor}`;
    case 'invalid_format': {
      const form = FORMATS[issue.format];
      return form === undefined ? 'is not written in the form it needs' : `must be ${form}`;
    }
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return union(issue.errors);
    default:
      return 'is not valid';
  }
}

function bound(
  kind: 'at least' | 'at most',
  figure: number,
  issue: Issue & { origin: string; inclusive?: boolean },
): string {
  const { origin, inclusive = true } = issue;
  if (origin === 'string') {
    return kind === 'at least' && figure === 1
      ? 'must not be empty'
      : `must have ${kind} ${counted(figure, 'character')}`;
  }
  if (origin === 'array' || origin === 'set') {
    const word = figure === 1 ? 'entry' : 'entries';
    return `must have ${kind} ${figure} ${word}`;
  }
  if (inclusive) return `must be ${kind} ${figure}`;
  return `must be ${kind === 'at least' ? 'more' : 'less'} than ${figure}`;
}

function counted(figure: number, noun: string): string {
  return `${figure} ${noun}${figure === 1 ? '' : 's'}`;
}

/** Among several allowed forms, the one of the right type has the most useful message. */
function union(errors: readonly (readonly Issue[])[]): string {
  const firsts = errors.flatMap(([first]) => first ?? []);
  const meant = firsts.find(({ code }) => code !== 'invalid_type');
  if (meant !== undefined) return OF_THE_VALIDATOR.test(meant.message) ? predicate(meant) : meant.message;
  const said = [...new Set(firsts.map(predicate))];
  const [only = 'is not valid'] = said;
  return said.length === 1
    ? only
    : `must be ${said.map((each) => each.replace(/^must be /, '')).join(' or ')}`;
}
