import { readFile } from 'node:fs/promises';
import { nextMigration } from './migration-sql.js';
import { newestSnapshot } from './newest-snapshot.js';
import { renderSchema, SCHEMA_DOCUMENT } from './render-schema.js';

let isStale = false;
for (const dialect of ['mysql', 'libsql'] as const) {
  const { snapshot } = await newestSnapshot(dialect);
  const { statements } = await nextMigration(dialect, snapshot);
  if (statements.length === 0) continue;
  isStale = true;
  process.stderr.write(
    `The ${dialect} migrations do not lead to the tables of the sources; missing:\n${statements.join('\n')}\n`,
  );
}
if ((await readFile(SCHEMA_DOCUMENT, 'utf8')) !== renderSchema()) {
  isStale = true;
  process.stderr.write('docs/schema.md is not what the tables of the sources are.\n');
}
if (isStale) {
  process.stderr.write('Run: pnpm --filter @gatehouse/db generate <name>\n');
  process.exit(1);
}
process.stdout.write('The migrations and docs/schema.md lead to the tables of the sources.\n');
