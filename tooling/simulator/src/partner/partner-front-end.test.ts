import { expect, it } from 'vitest';
import { startPartnerFrontEnd } from './partner-front-end.js';

it('the simulated front end of a partner shows what a loginUrl is for, and leaves a taken port alone', async () => {
  await using started = await startPartnerFrontEnd(0);
  const url = started?.url ?? '';
  const response = await fetch(`${url}/#login?token=x`);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('tempLogin')]);
  expect(await startPartnerFrontEnd(Number(new URL(url).port))).toBeUndefined();
});
