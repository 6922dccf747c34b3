import { openDatabase } from '@gatehouse/db/open-database';

/** Writes pairs of rows, each pair in one transaction, until it is killed. Prints how many. */
const [url = ''] = process.argv.slice(2);
const db = await openDatabase(url);
for (let turn = 1; ; turn += 1) {
  const row = { memberId: turn, createdAtMs: turn, body: 'x'.repeat(200) };
  await db.insertMany(db.tables.messages, [
    { ...row, conversationId: 1 },
    { ...row, conversationId: 2 },
  ]);
  process.stdout.write(`${turn}\n`);
}
