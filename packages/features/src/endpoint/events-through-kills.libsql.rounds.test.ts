import { createTestDatabase, printMeasurements, seedTestDatabase } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { changeThroughKills } from '../test/change-through-kills.js';

it('each change in a database file is once in the feed and reaches its endpoint in order while services are killed', {
  timeout: 900_000,
}, async () => {
  await using test = await createTestDatabase('libsql');
  await seedTestDatabase(test.database);
  const told = await changeThroughKills({ urls: [test.url], db: test.database });
  expect(told.changes).toBeGreaterThan(0);
  printMeasurements('events of changes while nodes on a file are killed', { ...told });
});
