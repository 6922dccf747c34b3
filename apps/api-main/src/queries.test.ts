import { insertTestMember, type RunningService, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from './app.js';

const dialect = inject('dialect');

const ONE_CALL = [
  ['that is answered', 'session.me', undefined],
  ['with an empty input', 'session.me', ''],
  ['with an input that nothing asks for', 'session.me', { a: 1 }],
  ['that is refused', 'member.list', { accountId: 3 }],
  ['with a wrong input', 'member.list', { accountId: 'x' }],
  ['without its input', 'member.list', undefined],
  ['with null', 'member.list', null],
] as const;

const BATCHES = [
  ['of one', 'session.me', undefined],
  ['of two that differ', 'session.me,member.list', { 1: { accountId: 3 } }],
  ['of two that are refused alike', 'member.list,member.list', { 0: { accountId: 3 }, 1: { accountId: 3 } }],
  [
    'of two that are refused differently',
    'member.list,member.list',
    { 0: { accountId: 3 }, 1: { accountId: 'x' } },
  ],
  ['with inputs of none of its calls', 'session.me', { 7: 1, __proto__: 2 }],
  ['of twenty', Array.from({ length: 20 }, () => 'session.me').join(','), {}],
] as const;

/** What only tRPC's adapter answers, the one side of the comparison or not. */
const LEFT_TO_THE_ADAPTER = [
  ['of a mutation', 'session.end', 'batch=1', 405],
  ['of an unknown procedure', 'session.nobody', '', 404],
  ['of a procedure that every object has', 'constructor', '', 404],
  ['of nothing', '', '', 404],
  ['of twenty-one', Array.from({ length: 21 }, () => 'session.me').join(','), 'batch=1', 400],
  ['of a query and a mutation', 'session.me,session.end', 'batch=1', 400],
  ['with an input that is not JSON', 'member.list', 'input={', 401],
  ['with a list of inputs', 'session.me', 'batch=1&input=[1]', 401],
  ['with an encoded name', 'session%2Eme', '', 401],
  ['with a name that cannot be decoded', 'session%zz', '', 400],
] as const;

describe('tRPC queries', () => {
  it('are answered exactly as by tRPC itself, but with a Content-Length', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const { token } = await insertTestMember(service.database, { memberships: { 1: 2 } });
    const byCookie = (value: string, site: string) => ({
      headers: {
        Cookie: `${service.services.cookies.name}=${value}`,
        'X-Gatehouse-Client': 'cookie',
        'Sec-Fetch-Site': site,
      },
    });
    const cookies = [
      byCookie(token, 'same-origin'),
      byCookie(token, 'cross-site'),
      byCookie('nonsense', 'same-origin'),
    ];
    for (const caller of [{}, { token }, { token: 'nonsense' }, ...cookies]) {
      for (const [name, path, input] of ONE_CALL) {
        const query =
          input === undefined ? '' : `input=${input === '' ? '' : encodeURIComponent(JSON.stringify(input))}`;
        await expectSame(service, { path, query, caller, name });
      }
      for (const [name, path, inputs] of BATCHES) {
        const query = inputs === undefined ? '' : `&input=${encodeURIComponent(JSON.stringify(inputs))}`;
        await expectSame(service, { path, query: `batch=1${query}`, caller, name: `a batch ${name}` });
      }
    }
  });

  it('are left to tRPC itself when anything is unusual', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    for (const [name, path, query, status] of LEFT_TO_THE_ADAPTER) {
      const answer = await ask(service, `${path}?${query}`, {});
      expect(answer.headers, name).not.toHaveProperty('content-length');
      expect(answer.status, name).toBe(status);
    }
  });
});

interface Caller {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Asked {
  readonly path: string;
  readonly query: string;
  readonly caller: Caller;
  readonly name: string;
}

async function expectSame(service: RunningService, { path, query, caller, name }: Asked): Promise<void> {
  const own = await ask(service, `${path}?${query}`, caller);
  // Requests with connection parameters are left to tRPC's adapter.
  const adapter = await ask(service, `${path}?${query}&connectionParams=null`, caller);
  const { 'content-length': length, vary, ...headers } = own.headers;
  expect(Number(length), name).toBe(Buffer.byteLength(own.body));
  // The adapter replaces what the check of origins has set.
  expect(vary, name).toBe(`Origin, ${adapter.headers['vary']}`);
  const { vary: _, ...same } = adapter.headers;
  expect({ ...own, headers }, name).toEqual({ ...adapter, headers: same });
}

async function ask(service: RunningService, path: string, caller: Caller) {
  const response = await service.send(`/trpc/${path}`, {
    ...caller,
    headers: { ...caller.headers, 'X-Request-Id': 'queries-test-1' },
  });
  const { date: _date, 'transfer-encoding': _encoding, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}
