import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp } from '@gatehouse/api-main/app';
import type { Database } from '@gatehouse/db/database';
import {
  developmentEnvironment,
  insertTestMember,
  type RunningService,
  startService,
  type TestMember,
  type TestMemberOptions,
} from '@gatehouse/testkit';
import { inject } from 'vitest';
import { z } from 'zod';

/** Both deployments over the demonstration, the main one on two nodes, with one clock. */
export interface ImpersonationWorld extends AsyncDisposable {
  readonly main: RunningService;
  readonly other: RunningService;
  readonly admin: RunningService;
  readonly db: Database;
  /** Staff of base role 0. */
  readonly root: TestMember;
  /** Staff of base role 6, granted account 2. */
  readonly manager: TestMember;
  nowMs(): number;
  /** Moves the clock forward. */
  wait(ms: number): void;
  member(options?: TestMemberOptions): Promise<TestMember>;
  start(as: { readonly token: string }, input: object): Promise<Started>;
}

export interface Started {
  readonly status: number;
  readonly code: string | undefined;
  readonly token: string;
  readonly expiresAt: string;
  readonly impersonationId: number;
  /** Where the portal opens the session. */
  readonly url: string;
}

const answer = z.object({
  token: z.string().default(''),
  expiresAt: z.string().default(''),
  impersonationId: z.number().default(0),
  url: z.string().default(''),
  error: z.object({ code: z.string() }).optional(),
});

export const REASON = 'They cannot see their invoices';

export async function startImpersonationWorld(
  env: Readonly<Record<string, string>> = {},
  shared?: Database,
): Promise<ImpersonationWorld> {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const options = {
    dialect: inject('dialect'),
    env: { ...developmentEnvironment('http://localhost:4000'), ...env },
    now,
    ...(shared ? { database: shared } : {}),
  } as const;
  const main = await startService(createApp, { ...options, application: 'web' });
  const db = main.database;
  const nodes = { ...options, database: db };
  const other = await startService(createApp, { ...nodes, application: 'web' });
  const admin = await startService(createAdminApp, { ...nodes, application: 'admin' });
  const member = (more: TestMemberOptions = {}) =>
    insertTestMember(db, { isConfirmed: true, ttlSeconds: 100 * 86_400, ...more });
  return {
    main,
    other,
    admin,
    db,
    root: await member({ roleType: 0, isPersonnel: true }),
    manager: await member({ roleType: 6, isPersonnel: true, grants: [2] }),
    nowMs: now,
    wait: (ms) => {
      aheadMs += ms;
    },
    member,
    async start({ token }, input) {
      const body = { reason: REASON, ...input };
      const response = await admin.send('/v1/impersonation/start', { token, body });
      const text = await response.text();
      if (response.status === 401)
        return { status: 401, code: text, token: '', expiresAt: '', impersonationId: 0, url: '' };
      const { error, ...started } = answer.parse(JSON.parse(text));
      return { ...started, status: response.status, code: error?.code };
    },
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
      await main[Symbol.asyncDispose]();
    },
  };
}
