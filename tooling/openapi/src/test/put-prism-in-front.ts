import { putInFront } from '@gatehouse/testkit';
import { afterAll, beforeAll } from 'vitest';
import { openPrismFront } from './prism-front.js';

beforeAll(() => {
  putInFront(openPrismFront);
});

afterAll(() => {
  putInFront();
});
