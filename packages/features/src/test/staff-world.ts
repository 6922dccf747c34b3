import { createApp } from '@gatehouse/api-admin/app';
import { router } from '@gatehouse/api-admin/router';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { insertTestMember, type RunningService, startService, type TestMember } from '@gatehouse/testkit';
import { inject } from 'vitest';

/** An admin service over the demonstration data, with one signed-in member of each kind. */
export interface StaffWorld extends AsyncDisposable {
  readonly service: RunningService;
  /** Staff of base role 0, besides the one in the demonstration data. */
  readonly root: TestMember;
  /** Staff of base role 6, granted account 2. */
  readonly manager: TestMember;
  /** An ordinary member of account 2 with the lowest role, whose owner has proven the address. */
  readonly member: TestMember;
  /** Calls a procedure as a typed client would; queries and mutations alike. */
  call(name: string, input: unknown, as: { readonly token: string } | undefined): Promise<Answer>;
  /** Sends a REST request; with a body it is a POST. */
  send(path: string, as: { readonly token: string } | undefined, body?: unknown): Promise<Answer>;
}

/** An answer, in the same form from both transports. */
export interface Answer {
  readonly status: number;
  /** The code of an error. */
  readonly code: string | undefined;
  readonly body: Record<string, unknown>;
}

interface TrpcBody {
  readonly result?: { readonly data: Record<string, unknown> };
  readonly error?: { readonly data: { readonly reason: string } };
}

export async function startStaffWorld(env: Readonly<Record<string, string>> = {}): Promise<StaffWorld> {
  const service = await startService(createApp, { dialect: inject('dialect'), application: 'admin', env });
  const { database } = service;
  const queries = new Set(
    listProcedures(router)
      .filter(({ type }) => type === 'query')
      .map(({ name }) => name),
  );
  return {
    service,
    root: await insertTestMember(database, { roleType: 0, isPersonnel: true }),
    manager: await insertTestMember(database, { roleType: 6, isPersonnel: true, grants: [2] }),
    member: await insertTestMember(database, { roleType: 5, isProven: true, memberships: { 2: 5 } }),
    async call(name, input, as) {
      const path = queries.has(name)
        ? `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`
        : `/trpc/${name}`;
      const response = await service.send(path, {
        token: as?.token,
        ...(queries.has(name) ? {} : { body: input }),
      });
      const { result, error } = (await response.json()) as TrpcBody;
      return { status: response.status, code: error?.data.reason, body: result?.data ?? {} };
    },
    async send(path, as, body) {
      const response = await service.send(path, {
        token: as?.token,
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      const parsed = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text };
      const error = parsed['error'] as { code: string } | undefined;
      return { status: response.status, code: error?.code, body: parsed };
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
