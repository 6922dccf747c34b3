import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/published-secrets';
import { API_ADMIN, API_MAIN, PROGRAMS, portOf } from './programs.js';

/** What a development start says once everything answers. */
export function welcome(env: Readonly<Record<string, string>>): string[] {
  const main = `http://127.0.0.1:${portOf(API_MAIN, env)}`;
  const admin = `http://127.0.0.1:${portOf(API_ADMIN, env)}`;
  return [
    '',
    'Gatehouse is up.',
    ...PROGRAMS.map((program) => `  ${program.name.padEnd(10)} http://127.0.0.1:${portOf(program, env)}`),
    '',
    `Demonstration logins (password ${DEMONSTRATION_PASSWORD}):`,
    '  owner@acme.test     owner of account 1, manager in account 2',
    '  member@acme.test    member of account 1',
    '  root@gatehouse.test staff, every account (admin service)',
    '',
    `  curl -s ${main}/webauthenticate -H 'content-type: application/json' \\`,
    `    -d '{"email":"owner@acme.test","password":"${DEMONSTRATION_PASSWORD}"}'`,
    '',
    `Every endpoint, with what it takes and answers: ${main}/docs and ${admin}/docs`,
    `Mails, which stay on this machine: ${main}/dev/outbox`,
    `Social sign-in, at simulated providers: ${main}/socialAuth`,
    `Pages that may call it (CORS_ORIGINS): ${env['CORS_ORIGINS'] || 'none'}`,
    '',
    'Ctrl-C stops all of it.',
  ];
}
