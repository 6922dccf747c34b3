import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp } from '@gatehouse/api-main/app';
import {
  developmentEnvironment,
  insertTestMember,
  type RunningService,
  startService,
} from '@gatehouse/testkit';
import { inject } from 'vitest';

/** Two nodes of the main service and one of the admin service, with root staff. */
export async function startAccessTokenWorld({
  env: more = {},
  now = Date.now,
  port,
}: {
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: () => number;
  /** That of the first node. */
  readonly port?: number;
} = {}) {
  const dialect = inject('dialect');
  const options = { dialect, env: { ...developmentEnvironment(), ...more }, now };
  const main = await startService(createApp, {
    ...options,
    application: 'web',
    ...(port === undefined ? {} : { port }),
  });
  const { database } = main;
  const other = await startService(createApp, { ...options, application: 'web', database });
  const admin = await startService(createAdminApp, { ...options, application: 'admin', database });
  const root = await insertTestMember(database, { isPersonnel: true, roleType: 0, isConfirmed: true });
  return {
    main,
    other,
    admin,
    root,
    db: database,
    async [Symbol.asyncDispose]() {
      for (const each of [admin, other, main]) await each[Symbol.asyncDispose]();
    },
  };
}

/** Calls a procedure with a session token. */
export async function callWith(
  on: RunningService,
  path: string,
  token: string,
  body: object,
  accountId?: number,
) {
  const response = await on.send(path, { token, body, ...(accountId === undefined ? {} : { accountId }) });
  const text = await response.text();
  const json = text.startsWith('{') ? (JSON.parse(text) as Answer) : undefined;
  return { status: response.status, code: json?.error?.code ?? text, data: json?.data ?? {}, key: json?.key };
}

interface Answer {
  data?: { id?: number; accessToken?: string; expiresIn?: number };
  key?: string;
  error?: { code: string };
}
