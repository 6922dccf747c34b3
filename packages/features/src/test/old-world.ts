import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import {
  developmentEnvironment,
  type RunningService,
  type StartOptions,
  startService,
  type TestDialect,
} from '@gatehouse/testkit';
import CryptoJS from 'crypto-js';
import jwt from 'jsonwebtoken';
import { BILLING_ENVIRONMENT } from './billing.js';
import { newestMails } from './newest-mails.js';
import { ACME_SECRET } from './partner-client.js';
import { type OldAnswer, type OldRequest, sendOld } from './send-old.js';

/** Both services, as old clients reach them: by raw HTTP, with what they learned from the replaced system. */
export interface OldWorld extends AsyncDisposable {
  readonly main: RunningService;
  readonly admin: RunningService;
  /** Sends to the main service; `as` adds a session token and the account. */
  ask(method: string, path: string, request?: OldRequest & Sender): Promise<OldAnswer>;
  askAdmin(method: string, path: string, request?: OldRequest & Sender): Promise<OldAnswer>;
  /** Sends to the admin service as root. */
  askRoot(method: string, path: string, body?: object): Promise<OldAnswer>;
  /** A token of the owner of account 1, of root, and of a member without rights; each new. */
  signIn(email: string): Promise<string>;
  bearer(email: string): Promise<string>;
  partnerToken(): Promise<string>;
  /** A token as the replaced system made it: jsonwebtoken and crypto-js, without an id. */
  seal(payload: object, expiresIn?: number): string;
  open(token: string): Readonly<Record<string, unknown>>;
  /** The newest mail of a kind to an address; empty if there is none. */
  mailTo(to: string, kind: string): Promise<string>;
  /** Both services over the same database, with other variables. */
  configured(env: Readonly<Record<string, string>>): Promise<OldWorld>;
}

export interface Sender {
  readonly token?: string;
  readonly account?: number;
}

export const PASSWORD = DEMONSTRATION_PASSWORD;
export const OWNER = 'owner@acme.test';
export const ROOT = 'root@gatehouse.test';

let people = 0;

/** A new person, in the form that `/register` takes. */
export function newPerson(): { username: string; email: string; password: string } {
  people += 1;
  const username = `old.client.${people}`;
  return { username, email: `${username}@example.org`, password: 'Quiet-Meadow-71' };
}

export async function startOldWorld(
  dialect: TestDialect,
  shared?: Pick<StartOptions, 'database' | 'env'>,
): Promise<OldWorld> {
  const simulator = await startProviderSimulator();
  const env = {
    ...developmentEnvironment(),
    ...providerEnvironment(simulator.url),
    ...BILLING_ENVIRONMENT,
    PORTAL: 'off',
    CONSOLE: 'off',
    ...shared?.env,
  };
  const main = await startService(createMain, { dialect, application: 'web', ...shared, env });
  const { database } = main;
  const admin = await startService(createAdmin, { dialect, application: 'admin', env, database });
  const key = main.services.config.JWT_SECRET_KEY;
  const askAt =
    (service: RunningService): OldWorld['ask'] =>
    (method, path, { token, account, ...request } = {}) => {
      const headers = {
        ...(token === undefined ? {} : { Token: token }),
        ...(account === undefined ? {} : { Accountid: String(account) }),
        ...request.headers,
      };
      return sendOld(service, method, path, { ...request, headers });
    };
  const ask = askAt(main);
  const askAdmin = askAt(admin);
  const tokenOf = ({ body, text }: OldAnswer): string => {
    if (typeof body['token'] !== 'string') throw new Error(`No token: ${text}`);
    return body['token'];
  };
  const signIn = async (email: string) =>
    tokenOf(await ask('POST', '/webauthenticate', { body: { email, password: PASSWORD } }));
  return {
    main,
    admin,
    ask,
    askAdmin,
    askRoot: async (method, path, body) => askAdmin(method, path, { token: await signIn(ROOT), body }),
    signIn,
    bearer: async (email) =>
      tokenOf(await ask('POST', '/authenticate', { body: { email, password: PASSWORD } })),
    partnerToken: async () => {
      const body = { partnerId: 'acme-partner', secretKey: ACME_SECRET };
      return tokenOf(await ask('POST', '/partnerAuth/partnerAuthentication', { body }));
    },
    seal: (payload, expiresIn = 600) =>
      jwt.sign({ data: CryptoJS.AES.encrypt(JSON.stringify(payload), key).toString() }, key, { expiresIn }),
    open: (token) => {
      const { data } = jwt.verify(token, key) as { data: string };
      return JSON.parse(CryptoJS.AES.decrypt(data, key).toString(CryptoJS.enc.Utf8)) as Record<
        string,
        unknown
      >;
    },
    mailTo: async (to, kind) =>
      (await newestMails(main)).find((mail) => mail.to === to && mail.kind === kind)?.text ?? '',
    configured: (changed) => startOldWorld(dialect, { database, env: changed }),
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      await main[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}
