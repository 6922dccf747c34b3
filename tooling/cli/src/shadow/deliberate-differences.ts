import { isList, isRecord, type Json, parseJson, textOf } from '../record/json.js';
import { type Difference, rowKeyOf } from './compare-answers.js';
import { didAsAsked, issuesOf, type PlayedExchange, refusalOf, sentField } from './played-exchange.js';

/** A row of SECURITY.md's table of deliberate differences. */
export interface DeliberateDifference {
  /** How its first cell begins. */
  readonly row: string;
  /** Whether it explains a difference between two answers. */
  readonly explains?: (difference: Difference, exchange: PlayedExchange) => boolean;
  /** Why no replayed request shows it. */
  readonly isUnseenBecause?: string;
}

const LOGINS = new Set(['/login', '/authenticate', '/webauthenticate', '/desigrauthenticate', '/Adminlogin']);

const COMPARED_AS_TEXT = new Set(['/login', '/desigrauthenticate']);

/** Paths that the replaced system guarded too. */
const GUARDED_BEFORE = new Set([
  '/',
  '/auth/me',
  '/auth/logout',
  '/partnerAuth/registerUser',
  '/partnerAuth/singleSignOn',
]);

const CHANGING_PEOPLE = new Set(['/addOrUpdatePersonnel', '/NewAccManager', '/updateUser', '/deleteUser']);

const SECRET_FIELDS = new Set([
  'password',
  'auth_pass',
  'access_token',
  'auth_token',
  'accessToken',
  'refresh_token',
  'pToken',
  'secretKey',
]);

/** As many bytes as bcrypt reads of a password. */
const BCRYPT_BYTES = 72;

const MAX_TOPIC_LENGTH = 2_000;

/** Whether a row that only the old list has comes after all rows on the first page of the new one. */
function isAfterPage({ place, old: row, new: other }: Difference, exchange: PlayedExchange): boolean {
  if (!place.endsWith('[]') || row === undefined || other !== undefined) return false;
  const [one, two] = [exchange.old, exchange.new].map((answer) => listAt(answer?.body, place));
  const key = one && two && rowKeyOf(one, two);
  if (one === undefined || two === undefined || key === undefined) return false;
  const keyOf = (each: Json) => (isRecord(each) ? textOf(each[key]) : '');
  const shown = new Set(two.map(keyOf));
  const last = one.findLastIndex((each) => shown.has(keyOf(each)));
  return last >= 0 && one.indexOf(row) > last;
}

/** The list at a place such as `body.data[]`. */
function listAt(body: Json | undefined, place: string): readonly Json[] | undefined {
  const [, ...names] = place.slice(0, -'[]'.length).split('.');
  let found = body;
  for (const name of names) found = isRecord(found) ? found[name] : undefined;
  return found !== undefined && isList(found) ? found : undefined;
}

type Explains = NonNullable<DeliberateDifference['explains']>;

/** The old system did it, and the new one refuses with one of these codes. */
const refusedNow =
  (codes: readonly string[], when: (exchange: PlayedExchange) => boolean = () => true): Explains =>
  ({ place }, exchange) =>
    place === 'status' && didAsAsked(exchange) && codes.includes(refusalOf(exchange) ?? '') && when(exchange);

const at =
  (...paths: readonly string[]) =>
  (exchange: PlayedExchange) =>
    paths.includes(exchange.endpoint.path);

const anyOf =
  (...rules: readonly Explains[]): Explains =>
  (difference, exchange) =>
    rules.some((explains) => explains(difference, exchange));

const lastName = ({ place }: Difference): string => /(\w+)$/.exec(place)?.[1] ?? '';

/** Every row of the table, in its order. */
export const DELIBERATE_DIFFERENCES: readonly DeliberateDifference[] = [
  {
    row: 'Every route is guarded',
    explains: anyOf(
      refusedNow(['unauthorized'], ({ endpoint, request, session }) => {
        const isAnonymous = session.token === undefined && request.headers['authorization'] === undefined;
        return isAnonymous && !GUARDED_BEFORE.has(endpoint.path);
      }),
      refusedNow(['account_required'], ({ request }) => request.headers['accountid'] === undefined),
      refusedNow(['account_forbidden', 'permission_denied'], (exchange) => {
        const { endpoint, session } = exchange;
        return (
          !GUARDED_BEFORE.has(endpoint.path) && !CHANGING_PEOPLE.has(endpoint.path) && !session.isOfRemoved
        );
      }),
    ),
  },
  {
    row: 'Passwords are compared with bcrypt',
    explains: anyOf(
      // A stored hash was its member's password there, and the only one if passwords were compared as plain text.
      ({ place, old, new: other }, { endpoint }) =>
        place === 'body.status' && old === false && other === true && COMPARED_AS_TEXT.has(endpoint.path),
      refusedNow(
        ['invalid_credentials'],
        (exchange) =>
          LOGINS.has(exchange.endpoint.path) && /^\$2[abxy]\$/.test(textOf(sentField(exchange, 'password'))),
      ),
    ),
  },
  {
    row: '`social: true` needs the unused callback token',
    explains: refusedNow(['invalid_token'], (exchange) => isOn(sentField(exchange, 'social'))),
  },
  {
    row: 'The front end decrypts nothing',
    isUnseenBecause: 'a provider gives each code once, so that no callback can be played',
  },
  {
    row: 'LinkedIn is asked about organizations',
    explains: ({ place, old, new: other }, { request }) => {
      if (place !== 'location scope' || !/^\/social\/linkedin\b/i.test(request.target)) return false;
      const now = new Set(textOf(other).split(/[ ,]/));
      return textOf(old)
        .split(/[ ,]/)
        .every((scope) => now.has(scope) || scope.includes('organization'));
    },
  },
  {
    row: 'A social sign-in that is under way',
    isUnseenBecause: 'a provider gives each code once, so that no callback can be played',
  },
  {
    row: 'A token says who calls',
    isUnseenBecause: 'whether a right is that of the token or of the database does not show in an answer',
  },
  {
    row: 'A bearer token of `/authenticate`',
    explains: ({ place, old, new: other }, { session }) => {
      if (place !== 'status' || session.bearer === undefined || session.token !== undefined) return false;
      return session.hasEnded
        ? old === 200 && (other === 403 || other === 401)
        : old === 401 && other === 200;
    },
  },
  {
    row: 'Revocation is durable and immediate',
    isUnseenBecause: 'it shows after a restart, and on another server',
  },
  {
    row: 'No response or log contains a secret',
    explains: (difference) => difference.new === undefined && SECRET_FIELDS.has(lastName(difference)),
  },
  {
    row: 'Flags in answers are `true` and `false`',
    explains: (difference) => {
      const { old, new: other } = difference;
      const name = lastName(difference);
      if (name === 'isDeleted') return other === undefined;
      if (name === 'detail') return typeof old === 'string' && isPartOf(parseJson(old), other);
      if (name === 'role') return old === 'Disabled/Archived' && other === 'Archived';
      if (name === 'partnerId' || name === 'partnerName') return other === undefined;
      return typeof other === 'boolean' && (old === 0 || old === 1) && other === (old === 1);
    },
  },
  {
    row: '`/RemoveSubject` works, and handlers that never answered',
    explains: ({ place, old, new: other }, { endpoint }) => {
      if (place !== 'status') return false;
      if (endpoint.path === '/RemoveSubject') return old === 500 && (other === 200 || other === 404);
      return old === 'no answer' && typeof other === 'number' && other < 500;
    },
  },
  {
    row: 'Invalid input is 400 with `issues`, not 500',
    explains: anyOf(
      ({ place, old }, exchange) =>
        place === 'status' &&
        old === 500 &&
        ['invalid_input', 'invalid_apptype'].includes(refusalOf(exchange) ?? ''),
      refusedNow(['invalid_input'], (exchange) => {
        return Buffer.byteLength(textOf(sentField(exchange, 'password'))) > BCRYPT_BYTES;
      }),
    ),
  },
  {
    row: 'A new password has at least 8 characters',
    explains: refusedNow(
      ['invalid_input'],
      (exchange) => exchange.endpoint.path === '/register' && issuesOf(exchange).includes('password'),
    ),
  },
  {
    row: 'Logins, one-time passwords, registration, mails',
    explains: ({ place }, exchange) => place === 'status' && refusalOf(exchange) === 'rate_limited',
  },
  {
    row: 'singleSignOn reaches linked members only',
    explains: anyOf(
      refusedNow(['not_found'], at('/partnerAuth/singleSignOn')),
      refusedNow(['not_found', 'permission_denied'], at('/partnerAuth/partnerSignIn')),
      refusedNow(['invalid_input'], (exchange) => {
        return (
          exchange.endpoint.path === '/partnerAuth/partnerSignIn' &&
          issuesOf(exchange).includes('redirect_url')
        );
      }),
    ),
  },
  {
    row: 'Lists return 50 rows',
    explains: (difference, exchange) => {
      const body = exchange.new?.body;
      const page = isRecord(body) ? body['page'] : undefined;
      return isRecord(page) && typeof page['nextCursor'] === 'string' && isAfterPage(difference, exchange);
    },
  },
  {
    row: 'Failed logins are 401 with the envelope',
    explains: ({ place, old }, exchange) =>
      place === 'status' &&
      old !== 401 &&
      !didAsAsked(exchange) &&
      LOGINS.has(exchange.endpoint.path) &&
      refusalOf(exchange) === 'invalid_credentials',
  },
  {
    row: '`tempLogin` refuses session tokens',
    explains: anyOf(
      refusedNow(['invalid_token'], (exchange) => isOn(sentField(exchange, 'tempLogin'))),
      refusedNow(['unauthorized'], ({ session }) => session.token !== undefined && !hasExpiry(session.token)),
    ),
  },
  {
    row: 'Only staff sign in to the admin service',
    explains: refusedNow(['role_not_allowed'], (exchange) => LOGINS.has(exchange.endpoint.path)),
  },
  {
    row: 'Nobody gives a role above their own',
    explains: refusedNow(['permission_denied', 'last_administrator'], ({ endpoint }) =>
      CHANGING_PEOPLE.has(endpoint.path),
    ),
  },
  {
    row: 'A new e-mail address counts once',
    explains: (difference, { new: answer }) => {
      const data = isRecord(answer?.body) ? answer.body['data'] : undefined;
      const isAddress = ['email', 'sid'].includes(lastName(difference));
      return isAddress && isRecord(data) && data['pendingEmail'] === difference.old;
    },
  },
  {
    row: 'Access ends with the next request',
    explains: refusedNow(['unauthorized', 'account_forbidden'], ({ session }) => session.isOfRemoved),
  },
  {
    row: 'A sign-in may ask for a second step',
    explains: refusedNow(['second_factor_required']),
  },
  {
    row: 'A topic of an analysis has at most 2000 characters',
    explains: refusedNow(['invalid_input'], (exchange) => {
      return textOf(sentField(exchange, 'topic')).length > MAX_TOPIC_LENGTH;
    }),
  },
  {
    row: 'A form that a page of another site sends',
    explains: ({ place }, exchange) => place === 'status' && refusalOf(exchange) === 'origin_refused',
  },
  {
    row: 'A body has at most 100 kB',
    explains: ({ place }, exchange) =>
      place === 'status' && ['payload_too_large', 'method_not_allowed'].includes(refusalOf(exchange) ?? ''),
  },
  {
    row: 'A browser that opens `/` gets a page',
    explains: ({ place, old }, { endpoint, new: answer }) =>
      place === 'status' && old === 403 && endpoint.path === '/' && answer?.mediaType === 'text/html',
  },
  {
    row: 'Short or published secrets stop the start',
    isUnseenBecause: 'a service that does not start answers nothing',
  },
  {
    row: 'A one-time password lives ten minutes',
    isUnseenBecause: 'one-time passwords come by mail, and each system sends its own',
  },
  {
    row: 'One-time passwords are sent to roles 0, 1 and staff only',
    isUnseenBecause: 'it shows in mails alone: the answer is the same for everybody',
  },
  {
    row: 'The link in a mail only shows a page',
    isUnseenBecause: 'the tokens of links come by mail, and each system sends its own',
  },
  {
    row: 'Social tokens are not accepted at `GET /me`',
    explains: refusedNow(['unauthorized'], ({ endpoint, request }) => {
      return endpoint.path === '/me' && request.headers['authorization'] !== undefined;
    }),
  },
  {
    row: 'The token of a login URL is exchanged',
    explains: refusedNow(['unauthorized'], ({ session }) => session.isOfLoginUrl),
  },
  {
    row: 'Members that partners made before have no link',
    isUnseenBecause: 'in an answer it is the row of singleSignOn: nobody is found',
  },
];

const isOn = (value: Json | undefined): boolean => ['true', '1'].includes(textOf(value));

/** Whether the new value contains everything that the old one has. */
function isPartOf(old: Json | undefined, other: Json | undefined): boolean {
  if (!isRecord(old) || !isRecord(other)) return old === other;
  return Object.entries(old).every(
    ([name, value]) => other[name] === undefined || isPartOf(value, other[name]),
  );
}

function hasExpiry(token: string): boolean {
  const payload = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return isRecord(payload) && payload['exp'] !== undefined;
}
