import { createApp } from '@gatehouse/api-main/app';
import { ROBIN } from '@gatehouse/simulator';
import { type RunningService, readOutbox, signInByPassword, startService } from '@gatehouse/testkit';
import { expect, inject } from 'vitest';
import { fieldsOf } from './invitation-call.js';
import { socialSession } from './social-session.js';
import { type SocialWorld, startSocialWorld } from './social-world.js';
import { callRest } from './transport-call.js';

/** The password of everybody who registers. */
export const PLANTED_PASSWORD = 'Copper-Anchor-77';
const NEW_PASSWORD = 'Velvet-Meadow-31';

/** Somebody who registered, with the account that was opened for them. */
export interface Registered {
  readonly email: string;
  readonly userId: number;
  readonly token: string;
  readonly accountId: number;
}

/** How the owner of an address comes in. */
export const WAYS_TO_PROVE = ['a reset', 'a sign-in by mail', 'a provider'] as const;
export type WayToProve = (typeof WAYS_TO_PROVE)[number];

/** Two nodes of the main service over one database, and simulated providers. */
export interface PlantedWorld extends SocialWorld {
  readonly other: RunningService;
  /** Registers an address; nobody has confirmed it. */
  register(email: string): Promise<Registered>;
  /** Confirms an address as its owner does who clicks the mailed link in a browser of their own. */
  click(email: string): Promise<void>;
  /** Confirms an address in the browser that registered it. */
  confirm(person: Registered): Promise<void>;
  /** Signs in as the owner of an address who reads its mails, and answers the token of the session. */
  prove(email: string, way: WayToProve, on?: RunningService): Promise<string>;
  /** The token in the newest mail of a kind to an address. */
  mailed(kind: string, email: string): Promise<string>;
  /** Calls a procedure, and answers its fields; throws if it is refused. */
  call<Fields = Record<string, unknown>>(
    procedure: string,
    input: object,
    caller: { readonly token?: string; readonly accountId?: number },
  ): Promise<Fields>;
  /** The status of a call, and the code of its refusal. */
  outcome(
    procedure: string,
    input: object,
    caller: { readonly token?: string; readonly accountId?: number },
    on?: RunningService,
  ): Promise<string>;
}

export async function startPlantedWorld(
  env: Readonly<Record<string, string>> = {},
  now?: () => number,
): Promise<PlantedWorld> {
  const dialect = inject('dialect');
  const options = { dialect, env: { NODE_ENV: 'development', ...env }, ...(now ? { now } : {}) };
  const world = await startSocialWorld(options);
  const { service } = world;
  const { database } = service;
  const other = await startService(createApp, { ...options, application: 'web', database });

  const mailed = async (kind: string, email: string) =>
    (await readOutbox(service)).find((mail) => mail.kind === kind && mail.to === email)?.token ?? '';
  const send = (on: RunningService, procedure: string, input: object, caller: object) =>
    callRest(on, caller, {
      procedure,
      type: 'mutation',
      input,
      path: `/v1/${procedure.replace('.', '/')}`,
      body: input,
    });
  const outcome: PlantedWorld['outcome'] = async (procedure, input, caller, on = service) => {
    const verdict = await send(on, procedure, input, caller);
    return 'fields' in verdict ? '200' : `${verdict.status} ${verdict.code}`;
  };
  const confirm = async (email: string, token?: string) => {
    const body = { token: await mailed('activation', email) };
    const answer = await service.send('/confirmationDetails', { token, body });
    expect(answer.status).toBe(200);
  };
  const signInByMail = async (email: string, on: RunningService) => {
    const asked = await on.send('/v1/signIn/requestEmail', { body: { email } });
    const { data } = (await asked.json()) as { data: { flow: string } };
    const mail = (await readOutbox(service)).find(({ kind, to }) => kind === 'signInCode' && to === email);
    const code = /^ {4}(\d{8})$/m.exec(mail?.text ?? '')?.[1] ?? '';
    const answer = await on.send('/v1/signIn/email', { body: { flow: data.flow, code } });
    return ((await answer.json()) as { data: { token: string } }).data.token;
  };

  return {
    ...world,
    other,
    mailed,
    outcome,
    call: async (procedure, input, caller) => fieldsOf(await send(service, procedure, input, caller)),
    async register(email) {
      const body = { username: email.replaceAll('@', '-'), password: PLANTED_PASSWORD, email };
      const answer = await service.send('/register', { body });
      const { token, userId } = (await answer.json()) as { token: string; userId: number };
      const places = await database.select().from(database.tables.memberships);
      const accountId = places.find(({ memberId }) => memberId === userId)?.accountId ?? 0;
      return { email, userId, token, accountId };
    },
    click: (email) => confirm(email),
    confirm: ({ email, token }) => confirm(email, token),
    async prove(email, way, on = service) {
      switch (way) {
        case 'a provider':
          return (await socialSession(on, 'google', { ...ROBIN, id: email.replaceAll('@', '.'), email }))
            .token;
        case 'a sign-in by mail':
          return signInByMail(email, on);
        case 'a reset': {
          await on.send('/forgotPassword', { body: { email } });
          const body = { token: await mailed('passwordReset', email), password: NEW_PASSWORD };
          expect((await on.send('/resetPassword', { body })).status).toBe(200);
          return (await signInByPassword(on, email, NEW_PASSWORD)).token;
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await other[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
