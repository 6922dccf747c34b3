import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { nextMigration } from './migration-sql.js';
import { migrationFolder, newestSnapshot } from './newest-snapshot.js';
import { renderSchema, SCHEMA_DOCUMENT } from './render-schema.js';

/** Until 0.1.0 the tables have one migration, which is generated again. */
const FIRST = 'tables';

const name = process.argv[2] ?? FIRST;
if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  process.stderr.write('usage: pnpm --filter @gatehouse/db generate [name_in_snake_case]\n');
  process.exit(1);
}

for (const dialect of ['mysql', 'libsql'] as const) {
  const { count, snapshot } = name === FIRST ? { count: 0 } : await newestSnapshot(dialect);
  const next = await nextMigration(dialect, snapshot);
  if (next.statements.length === 0) {
    process.stdout.write(`${dialect}: nothing to do\n`);
    continue;
  }
  const folder = migrationFolder(dialect);
  const title = `${String(count).padStart(4, '0')}_${name}`;
  const file = new URL(`${title}.sql`, folder);
  const text = `${next.statements.join('\n--> statement-breakpoint\n')}\n`;
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
  await mkdir(folder, { recursive: true });
  await writeFile(file, text);
  await writeFile(new URL(`${title}.snapshot.json`, folder), `${JSON.stringify(next.snapshot, null, 2)}\n`);
  // Only the newest is ever read.
  for (const file of await readdir(folder))
    if (file.endsWith('.snapshot.json') && !file.startsWith(title)) await rm(new URL(file, folder));
  process.stdout.write(`${dialect}: ${title}.sql, ${next.statements.length} statements\n`);
}

await writeFile(SCHEMA_DOCUMENT, renderSchema());
