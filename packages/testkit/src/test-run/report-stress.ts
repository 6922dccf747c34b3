import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const PLACES: Readonly<Record<string, string>> = {
  unit: 'no database',
  mariadb: 'MariaDB',
  'browser-mariadb': 'MariaDB',
  'browser-mariadb-swapped': 'MariaDB, hands at the other width',
  'browser-swapped': 'embedded, hands at the other width',
  'libsql-prism': 'embedded, through Prism',
};
const ROW = /^\| `[^`]+` \| [^|]+ \|/;

const UNITS: Readonly<Record<string, string>> = { ms: 'ms', mib: 'MiB', seconds: 's' };
const LONGEST = 300;

/**
 * The figures of a test as people read them: `tooLate 0, readyMs 1000` becomes `too late 0, ready 1,000 ms`.
 * @returns at most 300 characters, without the figures that do not fit
 */
export function readableFigures(figures: string): string {
  const readable = figures.split(', ').map((figure) => {
    const [, title = '', name, value] = /^(.*: )?([a-z][A-Za-z0-9]*) (\S+)$/.exec(figure) ?? [];
    if (name === undefined || value === undefined) return figure;
    const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
    const unit = UNITS[words.at(-1) ?? ''];
    const amount = /^-?\d+$/.test(value) ? Number(value).toLocaleString('en-US') : value;
    const figured = unit === undefined ? [...words, amount] : [...words.slice(0, -1), amount, unit];
    return title + figured.join(' ');
  });
  const whole = readable.join(', ');
  if (whole.length <= LONGEST) return whole;
  const fitting = readable.filter(
    (_, index) => readable.slice(0, index + 1).join(', ').length <= LONGEST - 3,
  );
  return `${fitting.join(', ')}, …`;
}

/** Replaces the row of each file of a stress run in the table of a document. A file that measured nothing has one only if it failed, and one of which nothing ran keeps its own. */
export function reportStress(document: string): Reporter {
  const figures = new Map<string, string[]>();
  const keyOfModule = (module: TestModule): string => {
    const file = relative(process.cwd(), module.moduleId);
    const place = file.includes('.galera.') ? 'Galera cluster' : PLACES[module.project.name];
    return `| \`${file}\` | ${place ?? 'embedded'} |`;
  };
  const leftOf = (module: TestModule): number =>
    [...module.children.allTests()].filter((test) => ['pending', 'skipped'].includes(test.result().state))
      .length;
  const rowOf = (module: TestModule): string | undefined => {
    const tests = [...module.children.allTests()];
    const [shown] = tests.flatMap(({ id }) => figures.get(id) ?? []);
    const failed = tests.filter((test) => test.result().state === 'failed').length + module.errors().length;
    const left = leftOf(module);
    if (shown === undefined && failed === 0) return undefined;
    const figure = readableFigures((shown ?? '').replace(/^.*?: (?=.*\d)/, '').replaceAll('|', '/'));
    const took = `${Math.round(module.diagnostic().duration / 1_000)} s, ${new Date().toISOString().slice(0, 10)}`;
    const failures = failed === 0 ? '' : `**${failed} of ${tests.length} failed** `;
    const missing = left === 0 ? '' : `${left} of ${tests.length} did not run; `;
    return `${keyOfModule(module)} ${failures}${missing}${figure} | ${took} |`;
  };
  return {
    onUserConsoleLog({ content, taskId = '' }) {
      const lines = content.split('\n').filter((line) => line.startsWith('stress: '));
      figures.set(taskId, [...(figures.get(taskId) ?? []), ...lines.map((line) => line.slice(8))]);
    },
    onTestRunEnd(modules) {
      const lines = readFileSync(document, 'utf8').trimEnd().split('\n');
      const keyOf = (row: string): string => ROW.exec(row)?.[0] ?? '';
      const rows = new Map(lines.filter((line) => ROW.test(line)).map((row) => [keyOf(row), row]));
      const ran = modules.filter((module) => {
        return module.errors().length > 0 || leftOf(module) < [...module.children.allTests()].length;
      });
      for (const module of ran) {
        const row = rowOf(module);
        if (row === undefined) rows.delete(keyOfModule(module));
        else rows.set(keyOfModule(module), row);
      }
      const text = [...lines.filter((line) => !ROW.test(line)), ...[...rows.values()].toSorted()];
      writeFileSync(document, `${text.join('\n')}\n`);
    },
  };
}
