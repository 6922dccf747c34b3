import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createLogger, type LogLevel, SECURITY_EVENTS } from './log.js';

it('the documents list every event of the security log, and no other', async () => {
  const text = await readFile(new URL('../../../../docs/security-events.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^\| `([a-z.-]+)` \|/gm)].map(([, name]) => name);
  expect(documented).toHaveLength(SECURITY_EVENTS.length);
  expect(new Set(documented)).toEqual(new Set(SECURITY_EVENTS));
});

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** The events that a log of this level writes if it gets them all. */
function writtenAt(level: LogLevel): string[] {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  const log = createLogger({ service: 'api-main', level, destination });
  const request = { requestId: 'r1', transport: 'rest', method: 'GET', status: 200, durationMs: 1 } as const;
  for (const route of ['/healthz', '/readyz', '/metrics', '/auth/me'])
    log.request({ ...request, route, address: '192.0.2.1' });
  for (const event of SECURITY_EVENTS) log.security({ event, requestId: 'r1', address: '192.0.2.1' });
  log.notice('listening');
  log.warning('not.ready', { detail: 'why' });
  log.failure('somewhere', new Error('what'));
  return written.map((line) => {
    const { event, route = '' } = z
      .object({ event: z.string(), route: z.string().optional() })
      .parse(JSON.parse(line));
    return `${event}${route}`;
  });
}

it.each(LEVELS)('the log has every security event at level %s', (level) => {
  expect(writtenAt(level)).toEqual(expect.arrayContaining([...SECURITY_EVENTS]));
});

it('the log leaves out health checks and scrapes unless the level is debug', () => {
  expect(writtenAt('debug').filter((event) => event.startsWith('request'))).toEqual([
    'request/healthz',
    'request/readyz',
    'request/metrics',
    'request/auth/me',
  ]);
  expect(writtenAt('info').filter((event) => event.startsWith('request'))).toEqual(['request/auth/me']);
});

it('the log leaves out what is below its level, except security events', () => {
  const others = (level: LogLevel) => writtenAt(level).slice(SECURITY_EVENTS.length);
  expect(others('warn')).toEqual(['not.ready', 'failure']);
  expect(others('error')).toEqual(['failure']);
  expect(others('silent')).toEqual([]);
});
