import { printMeasurements, rounds } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { raceOwnApi } from './test/race-own-api.js';

it('an Express API refuses, on the next request, a caller who lost access on another node', {
  timeout: 900_000,
}, async () => {
  const { late, faults, ...figures } = await raceOwnApi('mysql', rounds({ suite: 24, stress: 1_000 }));
  printMeasurements('verify refuses on the next request (mysql)', { ...figures, late: late.length });
  expect(late).toEqual([]);
  expect(faults).toEqual([]);
});
