import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { nextMigration } from './migration-sql.js';
import { migrationFolder, newestSnapshot } from './newest-snapshot.js';
import { renderSchema, SCHEMA_DOCUMENT } from './render-schema.js';

const name = process.argv[2];
if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) {
  process.stderr.write('usage: pnpm --filter @gatehouse/db generate <name_in_snake_case>\n');
  process.exit(1);
}

for (const dialect of ['mysql', 'libsql'] as const) {
  const { count, snapshot } = await newestSnapshot(dialect);
  const next = await nextMigration(dialect, snapshot);
  if (next.statements.length === 0) {
    process.stdout.write(`${dialect}: nothing to do\n`);
    continue;
  }
  const folder = migrationFolder(dialect);
  const title = `${String(count).padStart(4, '0')}_${name}`;
  await mkdir(folder, { recursive: true });
  await writeFile(
    new URL(`${title}.sql`, folder),
    `${next.statements.join('\n--> statement-breakpoint\n')}\n`,
  );
  await writeFile(new URL(`${title}.snapshot.json`, folder), `${JSON.stringify(next.snapshot, null, 2)}\n`);
  // Only the newest is ever read.
  for (const file of await readdir(folder))
    if (file.endsWith('.snapshot.json') && !file.startsWith(title)) await rm(new URL(file, folder));
  process.stdout.write(`${dialect}: ${title}.sql, ${next.statements.length} statements\n`);
}

await writeFile(SCHEMA_DOCUMENT, renderSchema());
