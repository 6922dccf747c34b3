import { openDatabase } from '@gatehouse/db/open-database';
import { printMeasurements, startPrivateMariadb } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { changeThroughKills } from '../test/change-through-kills.js';

it('each change is told once in its feed and reaches its endpoint in order while nodes and MariaDB are killed', {
  timeout: 900_000,
}, async () => {
  await using server = await startPrivateMariadb({ durable: true });
  const databaseUrl = await server.createSchema('gatehouse');
  const db = await openDatabase(databaseUrl);
  try {
    await db.migrate();
    const told = await changeThroughKills({ databaseUrl, db }, async () => {
      await server.kill9();
      await server.restart();
    });
    expect(told.changes).toBeGreaterThan(0);
    printMeasurements('events of changes while nodes and MariaDB are killed', { ...told });
  } finally {
    await db.close();
  }
});
