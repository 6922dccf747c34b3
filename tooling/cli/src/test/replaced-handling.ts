import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { compare, hash } from 'bcrypt';
import jwt from 'jsonwebtoken';
import type { ReplacedMember, ReplacedRows } from './replaced-rows.js';

/** What a handler of the replaced system gets. */
export interface OldContext {
  readonly rows: ReplacedRows;
  readonly options: ReplacedServiceOptions;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: URLSearchParams;
  /** The account of the header, or null. */
  readonly accountId: number | null;
  readonly tokens: OldTokens;
}

export interface OldTokens {
  /** An encrypted token (Scheme A). */
  seal(payload: object, expiresIn?: number): string;
  /** The payload of one, or undefined. */
  open(token: string): Readonly<Record<string, unknown>> | undefined;
  bearer(payload: object): string;
  /** The claims of a bearer or partner token, or undefined. */
  verify(authorization: string | undefined, options?: jwt.VerifyOptions): jwt.JwtPayload | undefined;
  revoke(token: string): void;
}

/** An answer; `never` sends none. */
export type OldReply =
  | { readonly status: number; readonly json?: object; readonly text?: string; readonly location?: string }
  | 'never';

export type OldHandler = (context: OldContext) => OldReply | Promise<OldReply>;

/** Handlers by their paths. No method was checked. */
export type OldHandlers = Readonly<Record<string, OldHandler>>;

export interface ReplacedServiceOptions {
  readonly deployment: 'main' | 'admin';
  /** JWT_SECRET_KEY. */
  readonly secret: string;
  /** The issuer of partner tokens. */
  readonly issuer: string;
  /** The front end of the service. */
  readonly appUrl: string;
  /** Where each provider is called, with the client id of the environment. */
  readonly providers: Readonly<
    Record<
      string,
      {
        readonly authorizeUrl: string;
        readonly clientParameter: string;
        readonly clientId: string;
      }
    >
  >;
}

export const ok = (json: object = {}): OldReply => ({ status: 200, json: { status: true, ...json } });
export const failed = (status: number, message: string): OldReply => ({
  status,
  json: { status: false, message },
});

/** A handler of the auth router: every one requires Scheme A. */
export function withToken(
  handle: (context: OldContext, caller: ReplacedMember, token: string) => OldReply,
): OldHandler {
  return (context) => {
    const token = String(context.headers['token'] ?? '');
    const payload = context.tokens.open(token);
    const caller = context.rows.members.find(({ id }) => id === payload?.['userId']);
    if (caller === undefined) return { status: 401, text: 'unauthorized access' };
    return handle(context, caller, token);
  };
}

/** The member who is signed in with the token of the request, if a handler looks at it. */
export function callerOf({ headers, rows, tokens }: OldContext): ReplacedMember | undefined {
  const payload = tokens.open(String(headers['token'] ?? ''));
  return rows.members.find(({ id }) => id === payload?.['userId']);
}

export function memberBySid(rows: ReplacedRows, sid: unknown): ReplacedMember | undefined {
  return rows.members.find(
    (member) => member.sid === sid && member.isDeleted === 0 && member.role_type !== 11,
  );
}

export function accountsOf(rows: ReplacedRows, memberId: number): number[] {
  const own = rows.account_members.filter(
    (row) => row.memberId === memberId && row.isDeleted === 0 && row.active === 1,
  );
  return own.map(({ accountId }) => accountId);
}

/** The session that a login answers. */
export function sessionFor({ rows, tokens }: OldContext, member: ReplacedMember): object {
  const granted = rows.personnel_accounts.filter(
    (row) => row.personnelId === member.id && row.isDeleted === 0 && row.active === 1,
  );
  const isPersonnel = granted.length > 0;
  const accountId = accountsOf(rows, member.id)[0] ?? granted[0]?.accountId ?? null;
  const payload = { userId: member.id, role: member.role_type, defaultPaymentId: 2, accountId, isPersonnel };
  return { token: tokens.seal(payload), userId: member.id, role: member.role_type, accountId };
}

const APPLICATION_ROLES: Readonly<Record<string, readonly number[]>> = { designer: [4] };

/** The login of web applications and of the admin console. */
export const webLogin: OldHandler = async (context) => {
  const { headers, body, rows, tokens } = context;
  const apptype = headers['apptype'];
  const application = apptype === undefined ? 'web' : decodeBase64(String(apptype));
  if (isOn(body['tempLogin'])) {
    const payload = tokens.open(String(body['token']));
    const member = rows.members.find(({ id }) => id === payload?.['userId']);
    return member === undefined ? failed(403, 'Invalid token') : ok(sessionFor(context, member));
  }
  const member = memberBySid(rows, body['sid'] ?? body['email']);
  if (member === undefined) return failed(200, 'Wrong email or password');
  if (!isOn(body['social'])) {
    const password = String(body['password']);
    if (!(await compare(password, member.password)) && password !== member.password)
      return failed(200, 'Wrong email or password');
  }
  if (APPLICATION_ROLES[application]?.includes(member.role_type) === false) return failed(403, 'Not allowed');
  return ok(sessionFor(context, member));
};

/** The login of older and native integrations. */
export const bearerLogin: OldHandler = async ({ body, rows, tokens }) => {
  const member = memberBySid(rows, body['email']);
  if (typeof body['password'] !== 'string') throw new TypeError('data and hash arguments required');
  if (member === undefined || !(await compare(body['password'], member.password)))
    throw new Error('Wrong email or password');
  return ok({ token: tokens.bearer({ userId: member.id, role: member.role_type }) });
};

export const randomPasswordHash = (): Promise<string> => hash(randomBytes(9).toString('base64'), 10);

/** A token that a partner verifies with its secretKey. */
export const partnerSigned = (payload: object, secretKey: string): string =>
  jwt.sign(payload, secretKey, { algorithm: 'HS256' });

function decodeBase64(value: string): string {
  if (!/^[A-Za-z0-9+/]+=*$/.test(value)) throw new Error('Apptype');
  return Buffer.from(value, 'base64').toString();
}

const isOn = (value: unknown): boolean => ['true', '1'].includes(String(value));

/** Whether a text is a signed request of a social network (HMAC-SHA256). */
export function isSignedRequest(signed: string, secret: string): boolean {
  const [signature, payload = ''] = signed.split('.');
  return createHmac('sha256', secret).update(payload).digest('base64url') === signature;
}
