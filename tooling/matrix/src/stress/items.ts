import { dirname } from 'node:path';
import { z } from 'zod';

/** A test file and a project that runs it, as vitest lists them. */
export const listedFile = z.object({ file: z.string(), projectName: z.string() });
export type ListedFile = z.output<typeof listedFile>;

/** The parts of the report, in its order. */
export const PARTS = ['stress', 'prism', 'screens'] as const;

/** What runs as one process of vitest, and is done or not. */
export interface Item {
  /** As `mariadb packages/db/src/outage.mysql.stress.test.ts`. */
  readonly name: string;
  readonly part: (typeof PARTS)[number];
  readonly project: string;
  readonly files: readonly string[];
  /** Whether it measures times or takes the whole machine, so that nothing may run beside it. */
  readonly isAlone: boolean;
}

const STRESS = /\.stress\.test\.ts$/;

/** They only kill and race: what runs beside them makes them slower, and no easier. */
const BESIDE_OTHERS = /(kills|races|one-use)\.stress\.test\.ts$/;

/**
 * The items of a stress run: each stress test on each database, then what is tested through Prism, then what people do
 * in the portal and the console, a folder at a time. Those that may run beside others are the last.
 * @param listed with paths from the root of the repository
 */
export function itemsOf(listed: readonly ListedFile[]): Item[] {
  const items = new Map<string, Item>();
  for (const { file, projectName: project } of listed) {
    const part = partOf(file, project);
    if (part === undefined) continue;
    const name = `${project} ${part === 'stress' ? file : folderOf(file)}`;
    const isAlone = part !== 'stress' || !BESIDE_OTHERS.test(file);
    const files = [...(items.get(name)?.files ?? []), file].toSorted();
    items.set(name, { name, part, project, files, isAlone });
  }
  const rank = ({ part, isAlone }: Item) => (isAlone ? PARTS.indexOf(part) : PARTS.length);
  return [...items.values()].toSorted((a, b) => rank(a) - rank(b) || compare(placeOf(a), placeOf(b)));
}

function partOf(file: string, project: string): Item['part'] | undefined {
  if (STRESS.test(file)) return 'stress';
  if (project === 'libsql-prism') return 'prism';
  const isScreen = project.startsWith('browser') && /^apps\/(portal|console)\//.test(file);
  return isScreen ? 'screens' : undefined;
}

/** Deep folders have a file or two, which need not start a browser each. */
const folderOf = (file: string): string => dirname(file).split('/').slice(0, 5).join('/');

/** Sorts by file, then by database. */
const placeOf = ({ name, project }: Item): string => `${name.slice(project.length + 1)} ${project}`;

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The items with a part of the pattern in their names; all without a pattern. */
export function chosenItems(items: readonly Item[], pattern: string | undefined): Item[] {
  return items.filter(({ name }) => pattern === undefined || name.includes(pattern));
}
