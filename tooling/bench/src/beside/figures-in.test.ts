import { expect, it } from 'vitest';
import { figuresIn } from './figures-in.js';

it('the comparison of two commits reads ratios, a request, starts and memory from a report', () => {
  const report = `## Guarded requests

| Server | Requests/s | p50 ms | p99 ms | Ratio |
|---|---:|---:|---:|---|
| bare Express 5 | 3,118 | 8 | 21 |  |
| Gatehouse over REST | 4,664 | 6 | 16 | 1.53 of bare Express 5 |

32 connections, median of 3 rounds. Database reads per guarded request: 0.064.

## Logins

| | per second | p50 ms | p99 ms | Ratio |
|---|---:|---:|---:|---|
| bcrypt alone, cost 10 | 28.5 | | | |
| Gatehouse \`/webauthenticate\` | 24.3 | 317 | 404 | 0.85 of bcrypt alone |

## Start and memory

| | ready after ms | resident MB when ready | and after a load |
|---|---:|---:|---:|
| bare Express 5 | 204 | 57 | 100 |
| Gatehouse api-main | 1300 | 114 | 131 |
`;
  expect([...figuresIn(report)]).toEqual([
    ['Gatehouse over REST, of bare Express 5', 1.53],
    ['database reads per guarded request', 0.064],
    ['Gatehouse `/webauthenticate`, of bcrypt alone', 0.85],
    ['Gatehouse api-main, ready after ms', 1300],
    ['Gatehouse api-main, resident MB when ready', 114],
    ['Gatehouse api-main, and after a load', 131],
  ]);
});
