import { AppError } from '@gatehouse/auth-core';
import { expect, it } from 'vitest';
import { createLogger } from './log.js';
import { readableLines } from './readable-lines.js';

function logged(say: (log: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  const destination = readableLines((line) => {
    text += line;
  });
  say(createLogger({ service: 'api-main', level: 'info', destination }));
  return text;
}

const request = {
  requestId: 'r1',
  transport: 'rest',
  method: 'POST',
  route: '/webauthenticate',
  status: 200,
  durationMs: 12.3,
  address: '127.0.0.1',
} as const;

it('the readable log has a line for each request that a person can read', () => {
  const text = logged((log) => log.request({ ...request, memberId: 3, accountId: 1 }));
  expect(text).toMatch(
    /^\d\d:\d\d:\d\d api-main {3}POST \/webauthenticate 200 12.3 ms memberId=3 accountId=1\n$/,
  );
});

it('the readable log names the page that may not call, and the variable that allows it', () => {
  const text = logged((log) => {
    log.notice('cors.refused', { origin: 'http://localhost:8080', variable: 'CORS_ORIGINS' });
  });
  expect(text).toContain('The page at http://localhost:8080 may not call: name it in CORS_ORIGINS.');
});

it('the readable log shows where a failure happened', () => {
  const text = logged((log) => {
    log.failure('POST /x', new AppError('internal', { detail: 'a row is not there' }));
  });
  expect(text).toContain('where=POST /x');
  expect(text).toContain('detail=a row is not there');
  expect(text).toContain('\n  at ');
});
