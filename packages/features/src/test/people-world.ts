import { createApp } from '@gatehouse/api-main/app';
import { router } from '@gatehouse/api-main/router';
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

/** The password of the members of a world. */
export const PASSWORD = 'Lantern-Harbor-42';

/** The transport of a call. */
export type Transport = 'rest' | 'trpc';
export const TRANSPORTS: readonly Transport[] = ['rest', 'trpc'];

/** An answer, in the same form from both transports. */
export interface PeopleAnswer {
  readonly status: number;
  /** The code of a refusal. */
  readonly code: string | undefined;
  readonly issues: readonly { readonly path: string; readonly message: string }[];
  /** The field `data` of an answer. */
  readonly data: unknown;
}

/** The main service, one node or several over one database, with a clock that the test sets. */
export interface PeopleWorld extends AsyncDisposable {
  readonly service: RunningService;
  readonly other: RunningService;
  readonly db: Database;
  /** Advances the clock. */
  wait(ms: number): void;
  /** A member with a confirmed address and the `PASSWORD`, who has just signed in. */
  member(options?: TestMemberOptions): Promise<TestMember>;
  /** An account whose primary owner is a new member. */
  account(name?: string): Promise<{ id: number; name: string; owner: TestMember }>;
  call(
    name: string,
    input: object,
    as: { readonly token?: string | undefined; readonly accountId?: number | undefined },
    how?: { readonly transport?: Transport; readonly on?: RunningService },
  ): Promise<PeopleAnswer>;
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

const QUERIES = new Set(
  listProcedures(router)
    .filter(({ type }) => type === 'query')
    .map(({ name }) => name),
);

export async function startPeopleWorld(
  env: Readonly<Record<string, string>> = {},
  dialect = inject('dialect'),
  port = 0,
): Promise<PeopleWorld> {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const options = {
    dialect,
    application: 'web',
    env: { ...developmentEnvironment(), ...env },
    now,
  } as const;
  const service = await startService(createApp, { ...options, port });
  const db = service.database;
  const other = await startService(createApp, { ...options, database: db });
  let accounts = 0;
  const passwordHash = await knownHash(PASSWORD);

  const member = (more: TestMemberOptions = {}) =>
    insertTestMember(db, { isConfirmed: true, passwordHash, ttlSeconds: 100 * 86_400, ...more });

  return {
    service,
    other,
    db,
    wait: (ms) => {
      aheadMs += ms;
    },
    member,
    async account(given) {
      accounts += 1;
      const name = given ?? `Workshop ${accounts}`;
      const nowMs = now();
      const owner = await member();
      const at = { createdAtMs: nowMs, updatedAtMs: nowMs };
      const { accounts: table, memberships, subscriptions } = db.tables;
      const id = await db.insert(table, { name, nameKey: name.toLowerCase(), ownerId: owner.id, ...at });
      await db.insert(memberships, { memberId: owner.id, accountId: id, roleType: 1, ...at });
      const trialEndsAtMs = nowMs + 86_400_000;
      await db.insert(subscriptions, { accountId: id, state: 'trialing', trialEndsAtMs, ...at });
      return { id, name, owner };
    },
    async call(name, input, { token, accountId }, { transport = 'rest', on = service } = {}) {
      const as = { token, accountId };
      if (transport === 'rest') {
        const response = await on.send(`/v1/${name.replaceAll('.', '/')}`, { ...as, body: input });
        const text = await response.text();
        const parsed = text.startsWith('{') ? restAnswer.parse(JSON.parse(text)) : undefined;
        return {
          status: response.status,
          code: parsed?.error?.code,
          issues: parsed?.error?.issues ?? [],
          data: parsed?.data,
        };
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
    async [Symbol.asyncDispose]() {
      await other[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}
