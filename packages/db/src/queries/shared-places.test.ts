import { randomBytes } from 'node:crypto';
import { like } from 'drizzle-orm';
import { expect, inject, it } from 'vitest';
import { createDemonstration } from '../test/test-databases.js';
import { readDatabaseTime } from './database-clock.js';
import { isPlaceFree, releasePlace, takePlace } from './shared-places.js';

const places = { prefix: 'places', count: 2, mostMs: 9_000 };

const wanted = (holder: string) => ({
  ...places,
  holder,
  token: randomBytes(16).toString('hex'),
  pick: () => 0,
});

it('a shared limit gives each place to one holder, and no holder two places', async () => {
  await using test = await createDemonstration(inject('dialect'));
  const { database: db } = test;
  const taken = await Promise.all(['1', '1', '1', '1'].map((holder) => takePlace(db, wanted(holder))));
  expect(taken.filter((each) => typeof each !== 'string').length).toBeLessThanOrEqual(1);
  await db.write(db.update(db.tables.leases).set({ leaseUntilMs: 0 }));

  const first = await takePlace(db, wanted('1'));
  expect(await takePlace(db, wanted('1'))).toBe('held');
  expect(await isPlaceFree(db, places)).toBe(true);
  expect(await takePlace(db, wanted('2'))).toMatchObject({ place: 'places:1' });
  expect(await takePlace(db, wanted('3'))).toBe('full');
  expect(await isPlaceFree(db, places)).toBe(false);
  if (typeof first === 'string') return expect.unreachable();
  await releasePlace(db, first);
  expect(await takePlace(db, wanted('3'))).toMatchObject({ place: 'places:0' });
});

it('a shared limit frees a place that is held far longer than allowed, as after a clock was ahead', async () => {
  await using test = await createDemonstration(inject('dialect'));
  const { database: db } = test;
  const { leases } = db.tables;
  for (const holder of ['1', '2']) await takePlace(db, wanted(holder));
  const nowMs = await readDatabaseTime(db);
  await db.write(
    db
      .update(leases)
      .set({ leaseUntilMs: nowMs + 65 * 60_000 })
      .where(like(leases.name, 'places:%')),
  );
  expect(await isPlaceFree(db, places)).toBe(true);
  expect(await takePlace(db, wanted('3'))).toMatchObject({ place: 'places:0' });
  expect(await takePlace(db, wanted('4'))).toMatchObject({ place: 'places:1' });
  expect(await takePlace(db, wanted('5'))).toBe('full');
});
