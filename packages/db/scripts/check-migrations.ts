import { nextMigration } from './migration-sql.js';
import { newestSnapshot } from './newest-snapshot.js';

let stale = false;
for (const dialect of ['mysql', 'libsql'] as const) {
  const { snapshot } = await newestSnapshot(dialect);
  const { statements } = await nextMigration[dialect](
    snapshot === undefined ? undefined : JSON.parse(snapshot),
  );
  if (statements.length === 0) continue;
  stale = true;
  process.stderr.write(
    `The ${dialect} migrations do not lead to the tables of the sources; missing:\n${statements.join('\n')}`,
  );
}
if (stale) {
  process.stderr.write('Run: pnpm --filter @gatehouse/db generate <name>');
  process.exit(1);
}
process.stdout.write('The migrations lead to the tables of the sources.');
