import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { router as adminRouter } from '@gatehouse/api-admin/router';
import { createApp as createMainApp } from '@gatehouse/api-main/app';
import { router as mainRouter } from '@gatehouse/api-main/router';
import type { Database } from '@gatehouse/db/database';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
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
import { knownHash } from './known-hash.js';
import type { PeopleAnswer, Transport } from './people-world.js';

export const PASSWORD = 'Lantern-Harbor-42';

/** The caller and the account. */
export interface CallAs {
  readonly token: string;
  readonly accountId?: number | undefined;
}

/** Staff and members: two nodes of the admin service and one of the main service over one database and one clock. */
export interface SupportWorld extends AsyncDisposable {
  readonly admin: RunningService;
  readonly otherAdmin: RunningService;
  readonly main: RunningService;
  readonly db: Database;
  /** Staff of base role 0, in addition to the one in the demonstration data. */
  readonly root: TestMember;
  /** Staff of base role 6, granted account 2. */
  readonly manager: TestMember;
  readonly nowMs: () => number;
  /** Moves the clock forward. */
  wait(ms: number): void;
  /** A member with a confirmed address and the `PASSWORD`, who has just signed in. */
  member(options?: TestMemberOptions): Promise<TestMember>;
  call(
    name: string,
    input: object,
    as: CallAs,
    how?: { readonly transport?: Transport; readonly on?: RunningService },
  ): Promise<PeopleAnswer>;
  /** The status of a call with a token at each of the nodes. */
  statuses(as: CallAs): Promise<number[]>;
  /** Signs in by password; undefined if that is refused. */
  signIn(email: string, on?: RunningService): Promise<string | undefined>;
}

const issues = z.array(z.object({ path: z.string(), message: z.string() })).default([]);
const restAnswer = z.looseObject({
  data: z.unknown().optional(),
  error: z.object({ code: z.string(), issues }).optional(),
});
const trpcAnswer = z.object({
  result: z.object({ data: z.looseObject({ data: z.unknown().optional() }) }).optional(),
  error: z.object({ data: z.object({ reason: z.string(), issues }) }).optional(),
});

/** Every procedure of the main service. */
export const MAIN_PROCEDURES = listProcedures(mainRouter);

const QUERIES = new Set(
  [...listProcedures(adminRouter), ...MAIN_PROCEDURES]
    .filter(({ type }) => type === 'query')
    .map(({ name }) => name),
);

export async function startSupportWorld(env: Readonly<Record<string, string>> = {}): Promise<SupportWorld> {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const options = { dialect: inject('dialect'), env: { ...developmentEnvironment(), ...env }, now } as const;
  const admin = await startService(createAdminApp, { ...options, application: 'admin' });
  const db = admin.database;
  const otherAdmin = await startService(createAdminApp, { ...options, application: 'admin', database: db });
  const main = await startService(createMainApp, { ...options, application: 'web', database: db });
  const passwordHash = await knownHash(PASSWORD);
  const member = (more: TestMemberOptions = {}) =>
    insertTestMember(db, { isConfirmed: true, passwordHash, ttlSeconds: 100 * 86_400, ...more });

  return {
    admin,
    otherAdmin,
    main,
    db,
    root: await member({ roleType: 0, isPersonnel: true }),
    manager: await member({ roleType: 6, isPersonnel: true, grants: [2] }),
    nowMs: now,
    wait: (ms) => {
      aheadMs += ms;
    },
    member,
    async call(name, input, { token, accountId }, { transport = 'rest', on = admin } = {}) {
      const as = { token, accountId };
      if (transport === 'rest') {
        const response = await on.send(`/v1/${name.replaceAll('.', '/')}`, { ...as, body: input });
        const text = await response.text();
        const { error, data } = text.startsWith('{') ? restAnswer.parse(JSON.parse(text)) : {};
        return { status: response.status, code: error?.code, issues: error?.issues ?? [], data };
      }
      const response = QUERIES.has(name)
        ? await on.send(`/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`, as)
        : await on.send(`/trpc/${name}`, { ...as, body: input });
      const { result, error } = trpcAnswer.parse(await response.json());
      return {
        status: response.status,
        code: error?.data.reason,
        issues: error?.data.issues ?? [],
        data: result?.data.data,
      };
    },
    async statuses(as) {
      const answers = await Promise.all([main, admin, otherAdmin].map((node) => node.send('/auth/me', as)));
      return answers.map(({ status }) => status);
    },
    async signIn(email, on = main) {
      const response = await on.send('/webauthenticate', { body: { email, password: PASSWORD } });
      return response.ok ? z.object({ token: z.string() }).parse(await response.json()).token : undefined;
    },
    async [Symbol.asyncDispose]() {
      await main[Symbol.asyncDispose]();
      await otherAdmin[Symbol.asyncDispose]();
      await admin[Symbol.asyncDispose]();
    },
  };
}
