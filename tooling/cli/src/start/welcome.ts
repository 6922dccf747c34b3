import { DEMONSTRATION_PEOPLE } from '@gatehouse/db/queries/demonstration-data';
import { demonstrationPlaces } from '@gatehouse/features/deployment/demonstration-places';
import {
  DEMONSTRATION_API_KEY,
  DEMONSTRATION_PARTNER_SECRET,
  DEMONSTRATION_PASSWORD,
} from '@gatehouse/runtime/config/secrets';
import { API_ADMIN, API_MAIN, PARTNER, PROGRAMS, pageUrlOf, portOf, SIMULATOR, urlOf } from './programs.js';

/**
 * The message of a development start once everything answers, without lines that these variables make untrue.
 */
export function welcome(
  env: Readonly<Record<string, string>>,
  { hasDemonstration }: { hasDemonstration: boolean },
): string[] {
  const main = pageUrlOf(API_MAIN, env);
  const admin = pageUrlOf(API_ADMIN, env);
  const { APP_URL = main, BASE_URL = main } = env;
  const sender = env['RESEND_API_KEY'] ? 'Resend' : env['SMTP_URL'] ? 'SMTP' : undefined;
  const hasOwnPages = withoutSlash(APP_URL) === withoutSlash(BASE_URL);
  const isPlayed = (env['GOOGLE_AUTHORIZATION_URL'] ?? '').includes(`:${portOf(SIMULATOR, env)}/`);
  const hasPortal = hasOwnPages && env['PORTAL'] !== 'off';
  const hasConsole = env['CONSOLE'] !== 'off';
  return [
    '',
    'Gatehouse is up.',
    ...(hasPortal ? portal(main, hasDemonstration) : []),
    ...(hasConsole ? staffConsole(admin, hasDemonstration) : []),
    ...[...PROGRAMS, ...(hasDemonstration ? [PARTNER] : [])].map(
      (place) => `  ${place.name.padEnd(12)} ${urlOf(place, env)}`,
    ),
    '',
    ...(hasDemonstration ? demonstration(main) : []),
    sender === undefined
      ? `Mails, which stay on this machine: ${main}/dev/outbox`
      : `Mails leave by ${sender}, to their recipients`,
    `Logins, mails, webhooks and simulators on one page: ${main}/dev`,
    '',
    `Every endpoint, with what it takes and answers: ${main}/docs and ${admin}/docs`,
    ...(env['MCP'] === 'off' ? [] : [`Tools of agents: ${main}/mcp`]),
    ...(hasOwnPages ? [`Register: ${main}/register`] : [`Your front end, where links lead: ${APP_URL}`]),
    ...(hasOwnPages
      ? [`Social sign-in${isPlayed ? ', at simulated providers' : ''}: ${main}/socialAuth`]
      : [`Social sign-in begins at, for example, ${main}/social/google and ends at ${APP_URL}/socialAuth`]),
    `Pages that may call it (CORS_ORIGINS): ${env['CORS_ORIGINS'] || 'none'}`,
    '',
    'Ctrl-C stops all of it.',
  ];
}

function portal(main: string, hasDemonstration: boolean): string[] {
  return [
    '',
    `  Open ${main}/portal/`,
    hasDemonstration
      ? '  and sign in with one click as somebody of the demonstration, or register.'
      : '  and sign in, or register.',
    '',
  ];
}

function staffConsole(admin: string, hasDemonstration: boolean): string[] {
  return [
    `  For staff: ${admin}/console/`,
    ...(hasDemonstration
      ? [`  and sign in as root@gatehouse.test with the password ${DEMONSTRATION_PASSWORD}.`]
      : []),
    '',
  ];
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

function demonstration(main: string): string[] {
  const width = Math.max(...DEMONSTRATION_PEOPLE.map(({ email }) => email.length));
  return [
    `Demonstration logins, all with the password ${DEMONSTRATION_PASSWORD}:`,
    ...DEMONSTRATION_PEOPLE.map(
      (person) => `  ${person.email.padEnd(width)}  ${demonstrationPlaces(person)}`,
    ),
    `  partner acme-partner, with the secret ${DEMONSTRATION_PARTNER_SECRET}`,
    `  a machine in account 1, with the API key ${DEMONSTRATION_API_KEY}`,
    '',
    'Events of account 1, in a second terminal: npx --yes pnpm@10 -s gatehouse events listen',
    '',
    `  curl -s ${main}/webauthenticate -H 'content-type: application/json' \\`,
    `    -d '{"email":"owner@acme.test","password":"${DEMONSTRATION_PASSWORD}"}'`,
    '',
  ];
}
