import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp } from '@gatehouse/api-main/app';
import { totpCode, totpStep } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { proveOwner } from '@gatehouse/db/queries/change-member';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import {
  developmentEnvironment,
  fromBase32,
  insertTestMember,
  type RunningService,
  type StartOptions,
  startService,
  type TestMember,
  type TestMemberOptions,
} from '@gatehouse/testkit';
import { inject } from 'vitest';
import { z } from 'zod';
import { knownHash } from './known-hash.js';

/** An answer of a service. */
export interface FactorAnswer {
  readonly status: number;
  readonly code: string | undefined;
  readonly challenge: string;
  readonly methods: readonly string[];
  /** The whole body. */
  readonly body: Record<string, unknown>;
  readonly data: Record<string, unknown>;
  readonly headers: Headers;
}

/** A member with an authenticator app. */
export interface EnrolledMember extends TestMember {
  readonly backupCodes: readonly string[];
  /** The code of now, or of some steps later. */
  code(later?: number): string;
  /** A code that is not valid now. */
  wrongCode(): string;
}

/** Both deployments and a second node of the first over one database, with a clock that the test sets. */
export interface FactorWorld extends AsyncDisposable {
  readonly main: RunningService;
  readonly other: RunningService;
  readonly admin: RunningService;
  readonly db: Database;
  wait(ms: number): void;
  nowMs(): number;
  call(
    name: string,
    input: object,
    how?: { token?: string; on?: RunningService; headers?: Record<string, string>; query?: boolean },
  ): Promise<FactorAnswer>;
  member(options?: TestMemberOptions): Promise<TestMember>;
  /** A member whose sign-ins take a code of the authenticator app. */
  enrolled(options?: TestMemberOptions): Promise<EnrolledMember>;
  /** Adds an authenticator app over HTTP. */
  enrol(member: TestMember, proof?: { emailCode: string }): Promise<EnrolledMember>;
  /** Signs in by password: the answer of `signIn.password`. */
  signIn(member: TestMember, on?: RunningService): Promise<FactorAnswer>;
  /** The code of now for a secret in base32. */
  codeFor(secret: string): string;
  /** A code that is not valid now for a secret in base32. */
  wrongCodeFor(secret: string): string;
  /** The code of the newest mail to an address. */
  mailedCode(to: string): Promise<string>;
}

const MINUTE_MS = 60_000;
const refusal = z.looseObject({
  code: z.string(),
  challenge: z.string().default(''),
  methods: z.array(z.string()).default([]),
});
const started = z.object({ secret: z.string() });
const confirmed = z.object({ backupCodes: z.array(z.string()).default([]) });

export async function startFactorWorld(
  env: Readonly<Record<string, string>> = {},
  dialect: StartOptions['dialect'] = inject('dialect'),
): Promise<FactorWorld> {
  // The middle of a step: codes of now stay those of now.
  let atMs = totpStep(Date.now()) * 30_000 + 15_000;
  const options = {
    dialect,
    env: { ...developmentEnvironment(), ...env },
    now: () => atMs,
  };
  const main = await startService(createApp, { ...options, application: 'web' });
  const db = main.database;
  const other = await startService(createApp, { ...options, application: 'web', database: db });
  const admin = await startService(createAdminApp, { ...options, application: 'admin', database: db });
  const passwordHash = await knownHash(DEMONSTRATION_PASSWORD);

  const call: FactorWorld['call'] = async (
    name,
    input,
    { token, on = main, headers, query = false } = {},
  ) => {
    const path = `/v1/${name.replace('.', '/')}`;
    const response = await on.send(path, {
      ...(query ? {} : { body: input }),
      ...(token === undefined ? {} : { token }),
      ...(headers === undefined ? {} : { headers }),
    });
    return readAnswer(response);
  };
  const member: FactorWorld['member'] = async (more = {}) => {
    const made = await insertTestMember(db, { isConfirmed: true, passwordHash, now: () => atMs, ...more });
    const proof = { memberId: made.id, expectedPassword: undefined, nowMs: atMs };
    await changeAccess(db, { members: [made.id] }, (tx) => proveOwner(tx, proof));
    return made;
  };
  const enrol: FactorWorld['enrol'] = async (who, proof) => {
    const { token } = who;
    let begun = await call('totp.start', {}, { token });
    if (begun.code === 'verification_required') {
      await call('verification.prove', { password: DEMONSTRATION_PASSWORD }, { token });
      begun = await call('totp.start', {}, { token });
    }
    const secret = fromBase32(started.parse(begun.data).secret);
    const code = (later = 0) => totpCode(secret, totpStep(atMs) + later);
    const answer = await call('totp.confirm', { code: code(), ...(proof ? { proof } : {}) }, { token });
    if (answer.status !== 200) throw new Error(`not enrolled: ${JSON.stringify(answer.body)}`);
    // The code just used is no longer valid.
    atMs += MINUTE_MS;
    return {
      ...who,
      code,
      wrongCode: () => wrongCode(secret, atMs),
      backupCodes: confirmed.parse(answer.data).backupCodes,
    };
  };
  return {
    main,
    other,
    admin,
    db,
    call,
    member,
    enrol,
    codeFor: (secret) => totpCode(fromBase32(secret), totpStep(atMs)),
    wrongCodeFor: (secret) => wrongCode(fromBase32(secret), atMs),
    nowMs: () => atMs,
    wait(ms) {
      atMs += ms;
    },
    enrolled: async (more) => enrol(await member(more)),
    signIn: (who, on) =>
      call('signIn.password', { email: who.email, password: DEMONSTRATION_PASSWORD }, on ? { on } : {}),
    async mailedCode(to) {
      const mails = await main.send('/dev/outbox');
      const { data } = z
        .object({ data: z.array(z.object({ to: z.string(), kind: z.string(), text: z.string() })) })
        .parse(await mails.json());
      const mail = data.find((each) => each.to === to && each.kind === 'mailedCode');
      return /\d{8}/.exec(mail?.text ?? '')?.[0] ?? '';
    },
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
      await main[Symbol.asyncDispose]();
    },
  };
}

/** An answer of either transport. */
export async function readAnswer(response: Response): Promise<FactorAnswer> {
  const text = await response.text();
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
  const error = refusal.safeParse(body['error']).data;
  const data = (body['data'] ?? {}) as Record<string, unknown>;
  const { status, headers } = response;
  const { challenge = '', methods = [] } = error ?? {};
  return { status, code: error?.code, challenge, methods, body, data, headers };
}

function wrongCode(secret: Buffer, nowMs: number): string {
  const right = [-1, 0, 1].map((drift) => totpCode(secret, totpStep(nowMs) + drift));
  return ['000000', '111111', '222222', '333333'].find((each) => !right.includes(each)) ?? '';
}
