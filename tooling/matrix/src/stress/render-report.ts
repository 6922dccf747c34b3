import { among } from '../render-matrix.js';
import { inWords } from './figures.js';
import { type Item, PARTS } from './items.js';
import { type Accepted, duration, type ItemResult, resultOf } from './results.js';

/** What the report is about. */
export interface Reported extends Accepted {
  readonly items: readonly Item[];
  readonly results: ReadonlyMap<string, ItemResult>;
  /** The items of a machine with every program that are not among those of this one. */
  readonly leftOut: readonly Item[];
  /** The programs that this machine does not have. */
  readonly missing: readonly string[];
  /** The databases, with their versions. */
  readonly databases: readonly string[];
}

const HEADS: Readonly<Record<Item['part'], string>> = {
  stress: 'Stress tests',
  prism: 'Through Prism',
  screens: 'What people do in the portal and the console',
};

const ABOUT: Readonly<Record<Item['part'], string>> = {
  stress: 'Rounds, rows and callers at full size, and what the tests measured.',
  prism:
    'The tests of the services, with a proxy that checks each request and answer against the OpenAPI documents.',
  screens: 'In a real browser, on both databases, with each hand at each width.',
};

const MOST_TITLES = 6;

/** The report as Markdown: what failed or did not run first, then what all others showed. */
export function renderReport(reported: Reported): string {
  const { items, leftOut } = reported;
  const ran = items.flatMap((item) => resultOf(reported.results, item, reported) ?? []);
  const passed = ran.filter(({ hasPassed }) => hasPassed).length;
  const all = items.length + leftOut.length;
  return [
    '# Stress tests at full size',
    '',
    `\`pnpm test:stress\` wrote this. ${ran.length} of ${all} items ran, ${passed} of them passed.`,
    '',
    ...table(['', ''], factsOf(ran, reported)),
    ...openIn(reported),
    ...PARTS.flatMap((part) => partOf(part, reported)),
    '',
  ].join('\n');
}

function factsOf(ran: readonly ItemResult[], { databases }: Reported): string[][] {
  if (ran.length === 0) return [['Databases', databases.join(', ')]];
  const times = ran.map(({ startedAt }) => startedAt).toSorted();
  const inAll = duration(ran.reduce((sum, { seconds }) => sum + seconds, 0));
  return [
    ['Commit', among(ran.map(({ commit }) => commit))],
    ['Machine', among(ran.map(({ machine }) => machine))],
    ['Node', among(ran.map(({ node }) => node))],
    ['Databases', databases.join(', ')],
    ['First and last item begun', among([times[0] ?? '', times.at(-1) ?? ''].map(minute))],
    ['All items together', inAll],
  ];
}

const minute = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

function openIn(reported: Reported): string[] {
  const rows = [
    ...reported.items.flatMap((item) => {
      const result = resultOf(reported.results, item, reported);
      if (result === undefined) return [[item.name, 'has not run']];
      return result.hasPassed ? [] : [[item.name, `**failed**: ${result.failures.join('; ')}`]];
    }),
    ...reported.leftOut.map((item) => [
      item.name,
      `left out, as this machine lacks ${reported.missing.join(', ')}`,
    ]),
  ];
  if (rows.length === 0) return [];
  return ['', '## Failed or did not run', '', ...table(['What', 'Why'], rows)];
}

function partOf(part: Item['part'], reported: Reported): string[] {
  const items = reported.items
    .filter((item) => item.part === part && resultOf(reported.results, item, reported) !== undefined)
    .toSorted((a, b) => (whatOf(a) < whatOf(b) ? -1 : 1));
  if (items.length === 0) return [];
  const rows = items.flatMap((item) => {
    const result = resultOf(reported.results, item, reported);
    return result === undefined ? [] : [rowOf(item, result)];
  });
  return [
    '',
    `## ${HEADS[part]}`,
    '',
    ABOUT[part],
    '',
    ...table(['What', 'Where', 'Showed', 'Tests', 'Took', 'Result'], rows),
  ];
}

/** The file or folder of an item, with the place it runs in where they are sorted. */
const whatOf = ({ name, project }: Item): string => `${name.slice(project.length + 1)} ${project}`;

function rowOf(item: Item, result: ItemResult): string[] {
  const { passed, failed } = result;
  return [
    `\`${item.name.slice(item.project.length + 1)}\``,
    placeOf(item),
    showedBy(item, result),
    failed === 0 ? String(passed) : `${passed}, and ${failed} failed`,
    duration(result.seconds),
    result.hasPassed ? 'passed' : '**failed**',
  ];
}

function showedBy({ part, files }: Item, { figures, titles }: ItemResult): string {
  if (figures.length > 0) return figures.map(inWords).join('<br>');
  if (part !== 'stress') return files.length === 1 ? '1 file' : `${files.length} files`;
  return titles.length > MOST_TITLES ? `${titles.length} cases` : titles.join('<br>');
}

const PLACES: Readonly<Record<string, string>> = {
  unit: 'no database',
  libsql: 'embedded',
  'libsql-redis': 'embedded, Redis',
  'libsql-prism': 'embedded',
  mariadb: 'MariaDB',
  browser: 'embedded',
  'browser-speed': 'embedded',
  'browser-mariadb': 'MariaDB',
  'browser-swapped': 'embedded, hands at the other width',
  'browser-mariadb-swapped': 'MariaDB, hands at the other width',
};

function placeOf({ name, project }: Item): string {
  return name.includes('/cluster.') ? 'Galera cluster' : (PLACES[project] ?? project);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)];
}
