import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../measure.js';
import { figuresIn } from './figures-in.js';

/**
 * The checkouts of other commits, kept for the next run: not below node_modules, where the compiler treats our own types as
 * foreign ones.
 */
const FOLDER = '.data/bench';

/**
 * The folder of a commit that is checked out and built, with the packages that its own lockfile names.
 * @throws {Error} if there is no such commit, or pnpm's store does not have its packages
 */
function builtCommit(commit: string): { readonly folder: string; readonly id: string } {
  const id = execFileSync('git', ['rev-parse', '--short=8', `${commit}^{commit}`], {
    encoding: 'utf8',
  }).trim();
  const folder = resolve(FOLDER, id);
  if (!existsSync(folder)) {
    execFileSync('git', ['worktree', 'prune']);
    execFileSync('git', ['worktree', 'add', '--detach', folder, id], { stdio: 'ignore' });
  }
  const run = (...args: string[]) =>
    execFileSync('pnpm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (!existsSync(join(folder, 'node_modules'))) run('install', '--offline', '--frozen-lockfile', '--silent');
  run('--silent', 'build');
  return { folder, id };
}

const OPTIONS = {
  database: { type: 'string', default: 'libsql,mariadb' },
  only: { type: 'string', default: 'requests,logins,start' },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '2' },
  report: { type: 'string' },
} as const;

const USAGE =
  'pnpm bench beside COMMIT [--database libsql,mariadb] [--only requests,logins,start] [--rounds 5] [--report FILE]';

/**
 * The figures of this checkout and those of another commit, in alternating rounds: each runs its own bench, which compares itself
 * with the bare servers of the same minute.
 */
export async function besideBench(args: readonly string[]): Promise<void> {
  const { values: options, positionals } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
  });
  const [commit, ...more] = positionals;
  const rounds = Number(options.rounds);
  if (commit === undefined || more.length > 0 || !(rounds > 0)) throw new Error(USAGE);
  const other = builtCommit(commit);
  const [loadBefore = 0] = loadavg();
  const sides = [other.folder, process.cwd()];
  const texts: string[] = [];
  for (const database of options.database.split(',')) {
    const measured = sides.map(() => new Map<string, number[]>());
    for (let round = 1; round <= rounds; round += 1) {
      // Neither always runs right after the other on the machine.
      const order = round % 2 === 1 ? [0, 1] : [1, 0];
      for (const side of order) {
        process.stderr.write(
          `${database}, round ${round} of ${rounds}, ${side === 0 ? other.id : 'this checkout'}\n`,
        );
        const settings = [
          '--database',
          database,
          '--only',
          options.only,
          '--rounds',
          '1',
          '--seconds',
          options.seconds,
        ];
        const folder = sides[side] ?? '.';
        const report = execFileSync(
          process.execPath,
          [join(folder, 'tooling/bench/dist/main.js'), ...settings],
          { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
        );
        for (const [name, value] of figuresIn(report))
          measured[side]?.set(name, [...(measured[side]?.get(name) ?? []), value]);
      }
    }
    texts.push(
      `## ${database}\n\n${renderBeside(other.id, measured[0] ?? new Map(), measured[1] ?? new Map())}`,
    );
  }
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`;
  const text = `# Beside ${other.id}

\`pnpm bench beside ${other.id} --only ${options.only} --rounds ${rounds} --seconds ${options.seconds}\` on ${machine}, load average ${loadBefore.toFixed(1)} before. Medians of ${rounds} rounds in \
which both commits take turns, each with its own bench and its own bare servers; in brackets the lowest and the highest round.

${texts.join('\n\n')}
`;
  process.stdout.write(text);
  if (options.report !== undefined) await writeFile(options.report, text);
}

function renderBeside(
  id: string,
  before: ReadonlyMap<string, readonly number[]>,
  now: ReadonlyMap<string, readonly number[]>,
): string {
  const lines = [...now].map(([name, values]) => {
    const old = before.get(name);
    const change = old === undefined ? '–' : (median(values) / median(old)).toFixed(2);
    return `| ${name} | ${old === undefined ? '–' : withSpread(old)} | ${withSpread(values)} | ${change} |`;
  });
  return [`| Figure | ${id} | now | now / ${id} |`, '|---|---:|---:|---:|', ...lines].join('\n');
}

function withSpread(values: readonly number[]): string {
  return `${median(values)} (${Math.min(...values)} to ${Math.max(...values)})`;
}
