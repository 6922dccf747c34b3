import { nextMigration } from './migration-sql.js';
import { newestSnapshot } from './newest-snapshot.js';

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
if (isStale) {
  process.stderr.write('Run: pnpm --filter @gatehouse/db generate <name>\n');
  process.exit(1);
}
process.stdout.write('The migrations lead to the tables of the sources.\n');
