import { openDatabase } from '@gatehouse/db/open-database';
import { printMeasurements, seedTestDatabase, startPrivateMariadb } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { changeThroughKills } from '../test/change-through-kills.js';

it('each change is once in the feed and reaches its endpoint in order while services and MariaDB are killed', {
  timeout: 900_000,
}, async () => {
  await using server = await startPrivateMariadb({ durable: true });
  const url = await server.createSchema('gatehouse');
  const db = await openDatabase(url);
  try {
    await db.migrate();
    await seedTestDatabase(db);
    const told = await changeThroughKills({ urls: [url], db }, async () => {
      await server.kill9();
      await server.restart();
    });
    expect(told.changes).toBeGreaterThan(0);
    printMeasurements('events of changes while nodes and MariaDB are killed', { ...told });
  } finally {
    await db.close();
  }
});
