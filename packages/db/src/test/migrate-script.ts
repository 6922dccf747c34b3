import { openDatabase } from '@gatehouse/db/open-database';

const db = await openDatabase(process.argv[2] ?? '');
process.stdout.write('ready\n');
const { applied } = await db.migrate();
await db.close();
process.stdout.write(`applied ${applied.length}\n`);
