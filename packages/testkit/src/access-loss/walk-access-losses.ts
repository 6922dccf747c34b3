import { setTimeout as pause } from 'node:timers/promises';
import { rounds } from '../rounds.js';
import { ACCESS_LOSSES, type AccessLoss } from './access-losses.js';
import { type AccessScene, createAccessScene } from './access-scene.js';
import type { AccessWorld } from './access-world.js';
import { beginLateRequest, type LateRequest } from './begin-late-request.js';
import { dumpEffects } from './dump-effects.js';
import type { GuardedCall, MadeCall } from './guarded-call.js';

/** The results of a table of calls: `statuses` by call, `effects` with the tables that differ. */
export interface WalkedLoss {
  readonly call: string;
  readonly loss: string;
  readonly statuses: Readonly<Record<string, number>>;
  readonly effects: readonly string[];
}

type Calls = Readonly<Record<string, GuardedCall>>;

/**
 * The losses that a call is tried with, which take turns in the suite: each call meets one, and each loss many
 * calls. A stress run tries each call with every loss.
 */
function lossesOf({ as }: GuardedCall, turn: number): readonly AccessLoss[] {
  const losses = ACCESS_LOSSES[as];
  const many = rounds({ suite: 1, stress: losses.length });
  return losses.filter((_loss, at) => (at + turn * many) % losses.length < many);
}

/** How long the first check may take once the server has read the change log. */
const VERDICT_MS = 40;

/**
 * Sends the beginning of every call over every transport, removes the access after the first checks, and then
 * sends the rest.
 */
export async function walkLateBodies(world: AccessWorld, calls: Calls): Promise<WalkedLoss[]> {
  const walked: WalkedLoss[] = [];
  for (const [turn, [name, call]] of Object.entries(calls).entries())
    walked.push(...(await lateBodies(world, name, call, lossesOf(call, turn))));
  return walked;
}

/** Each caller loses access in a different way, at the same time. */
async function lateBodies(
  world: AccessWorld,
  name: string,
  call: GuardedCall,
  losses: readonly AccessLoss[],
): Promise<WalkedLoss[]> {
  const { statistics } = world.service.services.access;
  const checks = statistics.checks;
  const begun = await Promise.all(
    losses.map(async (loss) => {
      const { scene, made } = await sceneFor(world, call, loss);
      return { loss, scene, late: await beginEverywhere(scene, name, call, made) };
    }),
  );
  const late = begun.flatMap((each) => Object.keys(each.late));
  // A batch has two calls. A partner's guard does not ask the access directory.
  const expected =
    call.as === 'partner' ? 0 : late.length + late.filter((transport) => transport === 'batch').length;
  for (let waited = 0; statistics.checks < checks + expected; waited += 5) {
    if (waited > 10_000) throw new Error(`${name} is not judged before its body`);
    await pause(5);
  }
  await pause(VERDICT_MS);
  for (const { loss, scene } of begun) await loss.take(scene);
  const before = await dumpEffects(world.db);
  const answered = await Promise.all(
    begun.map(async ({ loss, late: requests }) => {
      const statuses = await Promise.all(
        Object.entries(requests).map(
          async ([transport, request]) => [transport, await request.finish()] as const,
        ),
      );
      return { call: name, loss: loss.name, statuses: Object.fromEntries(statuses) };
    }),
  );
  const effects = differing(before, await dumpEffects(world.db));
  return answered.map((each) => ({ ...each, effects }));
}

async function beginEverywhere(
  { service, headers }: AccessScene,
  name: string,
  { type, rest }: GuardedCall,
  { input, body = input }: MadeCall,
): Promise<Record<string, LateRequest>> {
  const late: Record<string, LateRequest> = {};
  // Every procedure has a derived path, which takes its input unchanged.
  const derived = `${service.url}/v1/${name.replaceAll('.', '/')}`;
  late['derived path'] = await beginLateRequest(derived, { headers, body: input });
  if (rest !== undefined) {
    late['rest'] = await beginLateRequest(service.url + rest, { headers, body });
    late['malformed rest'] = await beginLateRequest(service.url + rest, { headers, body, isMalformed: true });
  }
  if (type !== 'query') {
    const url = `${service.url}/trpc/${name}`;
    const batch = { 0: input, 1: input };
    late['trpc'] = await beginLateRequest(url, { headers, body: input });
    late['malformed trpc'] = await beginLateRequest(url, { headers, body: input, isMalformed: true });
    late['batch'] = await beginLateRequest(`${url},${name}?batch=1`, { headers, body: batch });
  }
  return late;
}

/** Removes the access after the last check before the transaction, and before the transaction begins. */
export async function walkLateTransactions(world: AccessWorld, calls: Calls): Promise<WalkedLoss[]> {
  const walked: WalkedLoss[] = [];
  for (const [turn, [name, call]] of Object.entries(calls).entries()) {
    if (call.type === 'query') continue;
    for (const loss of lossesOf(call, turn)) {
      const { scene, made } = await sceneFor(world, call, loss);
      let before: Record<string, string> | undefined;
      world.holdups.beforeTransaction = async () => {
        await loss.take(scene);
        before = await dumpEffects(world.db);
      };
      const status = await send(scene, `/trpc/${name}`, made);
      world.holdups.beforeTransaction = undefined;
      if (before === undefined) throw new Error(`${name} begins no transaction`);
      const effects = differing(before, await dumpEffects(world.db));
      walked.push({ call: name, loss: loss.name, statuses: { trpc: status }, effects });
    }
  }
  return walked;
}

/** The result when access is lost during a call's write. */
export interface HeldLoss {
  readonly call: string;
  readonly loss: string;
  readonly status: number;
  /** Whether the loss was acknowledged before the call. */
  readonly hasPassed: boolean;
}

/** How long a loss of access may take to commit before a writing call. */
const PASSING_MS = 120;

/** Removes the access while a call is writing, and reports whether the loss was acknowledged before the call. */
export async function walkLossesMeanwhile(world: AccessWorld, calls: Calls): Promise<HeldLoss[]> {
  const walked: HeldLoss[] = [];
  for (const [turn, [name, call]] of Object.entries(calls).entries()) {
    if (call.type === 'query') continue;
    for (const loss of lossesOf(call, turn)) {
      const { scene, made } = await sceneFor(world, call, loss);
      let taking: Promise<unknown> | undefined;
      let hasPassed = false;
      world.holdups.beforeTransaction = () => {
        world.holdups.beforeWrite = async () => {
          taking = loss.take(scene).then(
            () => true,
            () => false,
          );
          hasPassed = await Promise.race([taking.then(() => true), pause(PASSING_MS, false)]);
        };
        return Promise.resolve();
      };
      const status = await send(scene, `/trpc/${name}`, made);
      world.holdups.beforeWrite = undefined;
      await taking;
      if (taking) walked.push({ call: name, loss: loss.name, status, hasPassed });
    }
  }
  return walked;
}

/** How long a read waits for a connection, as on a busy node. */
const WAITING_MS = 200;

/** Removes the access after the check of a read, while its first statement waits to be sent. */
export async function walkSlowReads(world: AccessWorld, calls: Calls): Promise<WalkedLoss[]> {
  const walked: WalkedLoss[] = [];
  for (const [turn, [name, call]] of Object.entries(calls).entries()) {
    if (call.type !== 'query') continue;
    for (const loss of lossesOf(call, turn)) {
      const { scene, made } = await sceneFor(world, call, loss);
      const path = `/v1/${name.replaceAll('.', '/')}`;
      // The caller is cached from now on, so the next check only reads the change log.
      const kept = await send(scene, path, made);
      if (kept !== 200) throw new Error(`${name} answers ${kept}`);
      let isHeld = false;
      world.holdups.beforeRead = async () => {
        isHeld = true;
        await loss.take(scene);
        await pause(WAITING_MS);
      };
      const status = await send(scene, path, made);
      if (!isHeld) throw new Error(`${name} reads nothing`);
      walked.push({ call: name, loss: loss.name, statuses: { rest: status }, effects: [] });
    }
  }
  return walked;
}

/** Sends every call without any loss of access. */
export async function walkKeptAccess(world: AccessWorld, calls: Calls): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const [name, call] of Object.entries(calls)) {
    const scene = await createAccessScene(world, call.as, {
      isConfirmed: call.isConfirmed ?? false,
      isAged: call.isAged ?? false,
    });
    const made = await call.make(scene);
    const url = `${scene.service.url}${call.rest ?? `/trpc/${name}`}`;
    const body = call.rest === undefined ? made.input : (made.body ?? made.input);
    const request = await beginLateRequest(url, { headers: scene.headers, body });
    statuses[name] = await request.finish();
  }
  return statuses;
}

async function sceneFor(world: AccessWorld, call: GuardedCall, loss: AccessLoss) {
  const scene = await createAccessScene(world, call.as, {
    isRowless: loss.isRowless ?? false,
    isConfirmed: call.isConfirmed ?? false,
    isAged: call.isAged ?? false,
  });
  return { scene, made: await call.make(scene) };
}

async function send({ service, headers }: AccessScene, path: string, { input }: MadeCall): Promise<number> {
  const answer = await service.send(path, { headers: { ...headers }, body: input });
  await answer.text();
  return answer.status;
}

function differing(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(after).filter((name) => before[name] !== after[name]);
}
