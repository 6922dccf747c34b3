import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createTestFolder } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../record/canonical-json.js';
import { type Json, parseJson } from '../record/json.js';
import { KEY_SAMPLE } from '../record/recorded-exchange.js';
import { createSecretDigests } from '../record/secret-digests.js';
import { shadow } from './shadow.js';

const KEY = Buffer.alloc(32, 7);
const digests = createSecretDigests(KEY);
const tokenOf = (name: string) => `eyJ${name}${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(20)}`;

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly token: string | undefined;
  readonly body: Json | undefined;
}

type Answers = (asked: Asked) => { status?: number; body?: Json } | undefined;

async function startSystem(answers: Answers) {
  const asked: Asked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = parseJson(await text(request));
    const token = request.headers['token']?.toString();
    const one = { method: request.method ?? '', url: request.url ?? '', token, body };
    asked.push(one);
    const found = answers(one);
    if (found === undefined) return;
    response.writeHead(found.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found.body ?? { status: true }));
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    asked,
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    [Symbol.asyncDispose]: () => {
      server.close();
      server.closeAllConnections();
      return Promise.resolve();
    },
  };
}

interface Line {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly answer?: Json;
}

const exchange = ({ method = 'GET', path, headers = {}, body, answer }: Line) => ({
  is: 'exchange',
  at: '2030-01-02T03:04:05.678Z',
  ms: 1,
  request: {
    method,
    path,
    query: [],
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: { kind: 'json', value: body } }),
  },
  ...(answer === undefined
    ? {}
    : { answer: { status: 200, headers: {}, body: { kind: 'json', value: answer } } }),
});

async function runShadow(
  lines: readonly Line[],
  systems: { old: Answers; new: Answers },
  {
    args = [],
    secrets = [],
    cut = '',
  }: { args?: readonly string[]; secrets?: readonly string[]; cut?: string } = {},
) {
  await using folder = await createTestFolder();
  await using old = await startSystem(systems.old);
  await using other = await startSystem(systems.new);
  const first = {
    is: 'recording',
    version: 1,
    at: '2030-01-02T03:04:05.678Z',
    key: digests.of(KEY_SAMPLE),
    tokenHeader: 'token',
  };
  const recorded = [first, ...lines.map(exchange)].map((line) => `${canonicalJson(line)}\n`).join('');
  await writeFile(`${folder.path}/recording.ndjson`, recorded + cut);
  await writeFile(`${folder.path}/key`, `${KEY.toString('base64url')}\n`);
  await writeFile(`${folder.path}/other-key`, `${Buffer.alloc(32, 8).toString('base64url')}\n`);
  await writeFile(`${folder.path}/secrets`, secrets.map((secret) => `${secret}\n`).join(''));
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const code = await shadow
    .run({
      args: [
        'recording.ndjson',
        '--old',
        old.url,
        '--new',
        other.url,
        '--key',
        'key',
        '--secrets',
        'secrets',
        ...args,
      ],
      env: { INIT_CWD: folder.path },
      say,
      draw: () => undefined,
    })
    .catch((error: unknown) => {
      said.push(String(error));
      return 1;
    });
  return { code, said, old: old.asked, new: other.asked };
}

const same = (answers: Answers) => ({ old: answers, new: answers });
const list =
  (...data: readonly Json[]) =>
  () => ({ body: { status: true, data } });

describe('gatehouse shadow', () => {
  it('reports by endpoint what is the same, what differs on purpose by its row, and what differs, and exits with 1 for that', async () => {
    const before = { id: 1, username: 'ada', password: tokenOf('x'), active: 1, role_type: 3 };
    const { code, said } = await runShadow([{ path: '/getAllMemberslist' }, { path: '/getUserdetail7' }], {
      old: ({ url }) => ({
        body: { status: true, data: url.startsWith('/getUserdetail') ? { id: 7 } : [before] },
      }),
      new: ({ url }) => ({
        body: {
          status: true,
          data: url.startsWith('/getUserdetail')
            ? { id: 7, more: 1 }
            : [{ id: 1, username: 'ada', active: true, role_type: 2 }],
        },
      }),
    });
    expect(said).toEqual([
      'GET /getAllMemberslist: 0 same, 0 deliberately different, 1 different',
      '  SECURITY.md: No response or log contains a secret',
      '    body.data[].password: (secret) there, nothing here',
      '  SECURITY.md: Flags in answers are `true` and `false`',
      '    body.data[].active: 1 there, true here',
      '  DIFFERENT body.data[].role_type: 3 there, 2 here',
      'GET /getUserdetail:userid: 1 same, 0 deliberately different, 0 different',
      '2 requests played: 1 same, 0 deliberately different, 1 different',
    ]);
    expect(code).toBe(1);
  });

  it('exits with 0 when every difference is deliberate, and prints lines of JSON', async () => {
    const { code, said } = await runShadow(
      [{ path: '/getAllMemberslist' }],
      { old: list({ id: 1, isDeleted: 0 }), new: list({ id: 1 }) },
      { args: ['--json'] },
    );
    expect(said.map((line) => parseJson(line))).toEqual([
      {
        is: 'endpoint',
        endpoint: 'GET /getAllMemberslist',
        same: 0,
        deliberatelyDifferent: 1,
        different: 0,
        deliberate: [
          {
            row: 'Flags in answers are `true` and `false`',
            differences: [{ place: 'body.data[].isDeleted', old: '0', new: 'nothing', count: 1 }],
          },
        ],
        differences: [],
      },
      { is: 'end', played: 1, leftOut: {} },
    ]);
    expect(code).toBe(0);
  });

  it('treats as equal what its document lists, and nothing more', async () => {
    const old = {
      status: true,
      message: 'Done',
      data: [
        { id: 2, at: '2024-05-06 07:08:09', none: null, url: `http://a.test/#login?token=${tokenOf('old')}` },
        { id: 1, at: '2024-05-06T07:08:09+00:00' },
      ],
    };
    const now = {
      data: [
        { at: '2024-05-06T07:08:09.000Z', id: 1, added: true },
        { id: 2, at: '2024-05-06T07:08:09.500Z', url: `http://a.test/#login?token=${tokenOf('new')}` },
      ],
      message: 'Fine',
      status: true,
    };
    const equal = await runShadow([{ path: '/getAllMemberslist' }], {
      old: () => ({ body: old }),
      new: () => ({ body: now }),
    });
    expect([equal.code, equal.said[0]]).toEqual([
      0,
      'GET /getAllMemberslist: 1 same, 0 deliberately different, 0 different',
    ]);
    const row = {
      id: 1,
      text: 'a',
      at: '2024-05-06 07:08:09',
      url: 'http://a.test/',
      n: 1,
      none: null,
      list: ['a', 'b'],
    };
    const others: readonly Json[] = [
      { ...row, text: 'b' },
      { ...row, at: '2024-05-06T07:08:10Z' },
      { ...row, url: 'http://b.test/' },
      { ...row, n: '1' },
      { ...row, none: 'x' },
      { ...row, list: ['a'] },
      { ...row, id: 2 },
    ];
    for (const other of others) {
      const { code } = await runShadow([{ path: '/getAllMemberslist' }], {
        old: list(row),
        new: list(other),
      });
      expect([other, code]).toEqual([other, 1]);
    }
  });

  it('sends each system the token that it issued itself, and both the secrets of the file', async () => {
    const answers =
      (name: string): Answers =>
      ({ url }) => ({
        body: url.startsWith('/web') ? { status: true, token: tokenOf(name), userId: 7 } : { status: true },
      });
    const recorded = digests.of(tokenOf('then'));
    const { code, ...systems } = await runShadow(
      [
        {
          method: 'POST',
          path: '/webauthenticate',
          body: { email: 'a@b.test', password: digests.of('Lovelace-1') },
          answer: { status: true, token: recorded, userId: 7 },
        },
        { path: '/auth/me', headers: { token: recorded } },
        { path: '/auth/me', headers: { token: digests.of(tokenOf('before')) } },
      ],
      { old: answers('old'), new: answers('new') },
      { secrets: ['Lovelace-1', tokenOf('before')] },
    );
    expect(code).toBe(0);
    for (const side of ['old', 'new'] as const) {
      expect(systems[side][0]?.body).toEqual({ email: 'a@b.test', password: 'Lovelace-1' });
      const tokens = systems[side].slice(1).map(({ token }) => token);
      expect(new Set(tokens)).toEqual(new Set([tokenOf('before'), tokenOf(side)]));
    }
  });

  it('does not replay requests that need a missing secret, may write, or are valid only once', async () => {
    const lines: readonly Line[] = [
      { path: '/getAllMemberslist', headers: { token: digests.of('another') } },
      { method: 'POST', path: '/RemoveSubject', body: { subjectId: 1 } },
      { path: '/notKnown' },
      { method: 'POST', path: '/stripe_webhooks', body: {} },
      { method: 'POST', path: '/searchAllMembers', body: { username: 'a' } },
    ];
    const reading = await runShadow(
      lines,
      same(() => ({})),
    );
    expect(reading.said).toEqual([
      'POST /searchAllMembers: 1 same, 0 deliberately different, 0 different',
      'not played: 1 (a secret that is not in the file of --secrets)',
      'not played: 2 (it may write: --writes plays it)',
      'not played: 1 (it counts once, or for a moment)',
      '1 requests played: 1 same, 0 deliberately different, 0 different',
    ]);
    expect(reading.old.map(({ url }) => url)).toEqual(['/searchAllMembers']);
    const writing = await runShadow(
      lines,
      same(() => ({})),
      { args: ['--writes'] },
    );
    expect(writing.new.map(({ url }) => url)).toEqual(['/RemoveSubject', '/notKnown', '/searchAllMembers']);
  });

  it('waits for an answer as long as configured, and treats it as deliberate that only the new system answers', async () => {
    const lines = [{ path: '/getUserdetail9' }];
    const none = () => undefined;
    const args = ['--timeout', '1'];
    const missing = () => ({ status: 404, body: { status: false, error: { code: 'not_found' } } });
    expect((await runShadow(lines, { old: none, new: missing }, { args })).code).toBe(0);
    expect((await runShadow(lines, { old: missing, new: none }, { args })).said).toContain(
      '  DIFFERENT status: 404 there, "no answer" here',
    );
  });

  it('reads a recording whose last line is cut, and refuses another key, another file and systems that do not answer', async () => {
    const lines = [{ path: '/getAllMemberslist' }];
    const ok = same(() => ({}));
    expect((await runShadow(lines, ok, { cut: '{"is":"exch' })).code).toBe(0);
    expect((await runShadow(lines, ok, { args: ['--key', 'other-key'] })).said.at(-1)).toContain(
      'The key of --key is not that of',
    );
    expect((await runShadow(lines, ok, { args: ['--key', 'secrets'] })).said.at(-1)).toContain('has no key');
    expect((await runShadow(lines, ok, { cut: 'no\nlines\n' })).said.at(-1)).toContain(
      'line 3: no line of a recording',
    );
    expect((await runShadow(lines, ok, { args: ['--new', 'http://127.0.0.1:1'] })).said.at(-1)).toContain(
      'does not answer: ECONNREFUSED',
    );
    expect((await runShadow([], ok)).said.at(-1)).toContain('No request could be played.');
  });
});
