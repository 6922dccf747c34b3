import { DATABASES, type MatrixDatabase, NODES } from './cells.js';
import { type CellResult, resultOf } from './results.js';

const NAMES: Readonly<Record<MatrixDatabase, string>> = {
  embedded: 'Embedded',
  mariadb: 'MariaDB',
  mysql: 'MySQL',
};

/** The results as a table of Markdown, a row for each Node and a column for each database. */
export function renderMatrix(results: readonly CellResult[]): string {
  const versions = (database: MatrixDatabase) =>
    among(results.filter((result) => result.database === database).map((result) => result.databaseVersion));
  const heads = DATABASES.map((database) => `${NAMES[database]} ${versions(database)}`.trim());
  const rows = NODES.map((node) => {
    const version = among(
      results.filter((result) => result.node === node).map((result) => result.nodeVersion),
    );
    const cells = DATABASES.map((database) => textOf(resultOf(results, { node, database })));
    return `| ${[`Node ${version || node}`, ...cells].join(' | ')} |`;
  });
  const dates = among(results.map(({ date }) => date));
  return [
    `| ${['', ...heads].join(' | ')} |`,
    `|${'---|'.repeat(heads.length + 1)}`,
    ...rows,
    '',
    `Of ${dates}.`,
    '',
  ].join('\n');
}

function textOf(result: CellResult | undefined): string {
  if (result === undefined) return 'not run';
  const { passed, failed, filesLeftOut, isGreen } = result;
  const count = (value: number) => value.toLocaleString('en');
  const parts = [`${count(passed)} passed`];
  if (!isGreen) parts.push(`**${failed === 0 ? 'the run failed' : `${count(failed)} failed`}**`);
  if (filesLeftOut > 0) parts.push(`${count(filesLeftOut)} files left out`);
  return parts.join(', ');
}

/** The values that there are, each once. */
export function among(values: readonly string[]): string {
  return [...new Set(values.filter((value) => value !== ''))].toSorted().join(', ');
}

const BEGIN = '<!-- pnpm test:matrix writes this -->\n\n';
const END = '\n<!-- until here -->';

/**
 * The document with this table between its markers.
 * @throws Error if it has no markers
 */
export function withMatrix(document: string, table: string): string {
  const from = document.indexOf(BEGIN);
  const to = document.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error('the document has no markers for the table of the matrix');
  return document.slice(0, from + BEGIN.length) + table + document.slice(to);
}
