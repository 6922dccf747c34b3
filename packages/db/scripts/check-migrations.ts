import { nextMigration } from './migration-sql.js';
import { newestSnapshot } from './newest-snapshot.js';

let stale = false;
for (const dialect of ['mysql', 'libsql'] as const) {
  const { snapshot } = await newestSnapshot(dialect);
  const { statements } = await nextMigration[dialect](snapshot === undefined ? undefined : JSON.parse(snapshot));
  if (statements.length === 0) continue;
  stale = true;
  console.error(`The ${dialect} migrations do not lead to the tables of the sources; missing:\n${statements.join('\n')}`);
}
if (stale) {
  console.error('Run: pnpm --filter @gatehouse/db generate <name>');
  process.exit(1);
}
console.log('The migrations lead to the tables of the sources.');
