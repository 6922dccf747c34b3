import { openDatabase } from '@gatehouse/db/open-database';
import { findMember } from '@gatehouse/db/queries/read-members';

/** Opens a database as a service does, and prints the first name of a member. */
const [url = '', memberId = '3'] = process.argv.slice(2);
process.stdout.write('opening\n');
const db = await openDatabase(url);
const member = await findMember(db, Number(memberId));
process.stdout.write(`${member?.firstName}\n`);
await db.close();
