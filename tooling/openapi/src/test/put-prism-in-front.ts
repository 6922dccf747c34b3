import { putProxyInFront } from '@gatehouse/testkit';
import { afterAll, beforeAll } from 'vitest';
import { openPrismProxy } from './prism-proxy.js';

beforeAll(() => {
  putProxyInFront(openPrismProxy);
});

afterAll(() => {
  putProxyInFront();
});
