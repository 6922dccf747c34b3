import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { besideBench } from './beside/main.js';
import { fleetBench } from './fleet/main.js';
import { renderChart } from './render-report.js';
import type { BenchSettings, Section } from './section.js';
import { applications } from './sections/applications.js';
import { events } from './sections/events.js';
import { grants } from './sections/grants.js';
import { guardedRequests } from './sections/guarded-requests.js';
import { loginStorm } from './sections/login-storm.js';
import { logins } from './sections/logins.js';
import { passkeys } from './sections/passkeys.js';
import { startUp } from './sections/start-up.js';
import { startTarget, type Target } from './target.js';
import { makeWorld } from './world.js';

const SECTIONS = {
  requests: guardedRequests,
  logins,
  passkeys,
  storm: loginStorm,
  start: startUp,
  events,
  applications,
  grants,
};
type SectionName = keyof typeof SECTIONS;

const OPTIONS = {
  database: { type: 'string', default: 'libsql' },
  only: { type: 'string', default: Object.keys(SECTIONS).join(',') },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '3' },
  connections: { type: 'string', default: '32' },
  report: { type: 'string' },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

function settingsIn(options: Options): BenchSettings {
  const { database } = options;
  if (database !== 'libsql' && database !== 'mariadb') throw new Error('--database is libsql or mariadb');
  const [rounds, seconds, connections] = [options.rounds, options.seconds, options.connections].map(Number);
  if (!rounds || !seconds || !connections)
    throw new Error('--rounds, --seconds and --connections are numbers above zero');
  return { database, rounds, seconds, connections };
}

function sectionsIn(options: Options): SectionName[] {
  const isSection = (name: string): name is SectionName => Object.hasOwn(SECTIONS, name);
  const names = options.only.split(',');
  const [unknown] = names.filter((name) => !isSection(name));
  if (unknown !== undefined)
    throw new Error(`--only is some of ${Object.keys(SECTIONS).join(', ')}; ${unknown} is none of them`);
  return names.filter(isSection);
}

/** Runs one section in its own world. Everything it started ends with it. */
async function run(name: SectionName, settings: BenchSettings): Promise<Section> {
  await using world = await makeWorld(settings.database);
  const targets: Target[] = [];
  try {
    return await SECTIONS[name]({
      world,
      settings,
      say: (text) => process.stderr.write(`${text}\n`),
      async start(program, startOptions) {
        const target = await startTarget(program, startOptions);
        targets.push(target);
        return target;
      },
    });
  } finally {
    for (const { process: child } of targets) child.disconnect();
  }
}

/** Writes what was measured so far, next to its chart: `name.md` and `name.svg`. */
async function writeReport(
  path: string,
  sections: readonly Section[],
  settings: BenchSettings,
): Promise<void> {
  const { database } = settings;
  const machine = `${database}, ${availableParallelism()} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`;
  const groups = sections.flatMap(({ chart }) => chart);
  const chartPath = path.replace(/\.md$/, '.svg');
  await writeFile(chartPath, renderChart(groups, `Gatehouse on ${machine}`));
  const command = `pnpm bench --database ${database} --rounds ${settings.rounds} --seconds ${settings.seconds}`;
  const parts = sections.map(({ title, text }) => `## ${title}\n\n${text}\n`);
  await writeFile(
    path,
    `# Bench on ${database}\n\n\`${command}\` on ${machine}. Trust the ratios, not the figures.\n\n![The figures as bars](${basename(chartPath)})\n\n${parts.join('\n')}`,
  );
}

async function main(): Promise<void> {
  if (process.argv[2] === 'fleet') return fleetBench(process.argv.slice(3));
  if (process.argv[2] === 'beside') return besideBench(process.argv.slice(3));
  const { values: options } = parseArgs({ options: OPTIONS });
  const settings = settingsIn(options);
  if (options.report !== undefined && !options.report.endsWith('.md'))
    throw new Error('--report is the path of a Markdown file, ending in .md');
  const sections: Section[] = [];
  for (const name of sectionsIn(options)) {
    const section = await run(name, settings);
    sections.push(section);
    process.stdout.write(`## ${section.title}\n\n${section.text}\n\n`);
    if (options.report !== undefined) await writeReport(options.report, sections, settings);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
