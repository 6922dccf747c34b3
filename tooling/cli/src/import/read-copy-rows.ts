import type { ForeignFields } from './foreign-line.js';
import type { RawRecord } from './read-bytes.js';

/** A line of a dump, with its fields, or the reason why it has none. */
export type CopyRow = {
  readonly number: number;
  readonly offset: number;
  readonly length: number;
} & (
  | { readonly fields: ForeignFields; readonly problem?: undefined }
  | { readonly fields?: undefined; readonly problem: string }
);

/** The columns of a table in a dump, and how its lines are read. */
export type CopyParser = (line: string) => ForeignFields | undefined;

const START = /^COPY (.+?) \((.+)\) FROM stdin;$/;
const END = '\\.';

/**
 * The rows of one table in a dump of PostgreSQL in its usual form, as `COPY` writes them. Null and empty fields are left out.
 * @param onTable gets the parser of the lines once the table begins
 */
export async function* readCopyRows(
  records: AsyncIterable<RawRecord>,
  table: string,
  onTable: (parse: CopyParser) => void = () => undefined,
): AsyncGenerator<CopyRow> {
  let parse: CopyParser | undefined;
  for await (const { number, offset, bytes, problem } of records) {
    if (problem !== undefined) {
      // Lines of other tables, or outside any, do not matter.
      if (parse !== undefined) yield { number, offset, length: 0, problem };
      continue;
    }
    const line = bytes.toString('utf8').replace(/\r$/, '');
    if (parse === undefined) {
      const [, name = '', columns = ''] = line.startsWith('COPY ') ? (START.exec(line) ?? []) : [];
      if (unquoted(name) !== table) continue;
      parse = createCopyParser(columns.split(', ').map(unquoted));
      onTable(parse);
    } else if (line === END) return;
    else {
      const fields = parse(line);
      const found =
        fields === undefined ? { problem: 'has another number of fields than its table' } : { fields };
      yield { number, offset, length: bytes.length, ...found };
    }
  }
}

const unquoted = (name: string): string => name.replaceAll('"', '');

function createCopyParser(columns: readonly string[]): CopyParser {
  return (line) => {
    const fields = line.replace(/\r$/, '').split('\t');
    if (fields.length !== columns.length) return undefined;
    return Object.fromEntries(
      columns.flatMap((column, at) => {
        const field = fields[at] ?? '';
        return field === '' || field === String.raw`\N` ? [] : [[column, unescaped(field)]];
      }),
    );
  };
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unescaped(field: string): string {
  return field.replace(/\\(.)/gs, (_whole, letter: string) => ESCAPES[letter] ?? letter);
}
