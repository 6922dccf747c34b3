import type { Failure } from '@gatehouse/ui/call/mutation-state';
import { explainError } from '@gatehouse/ui/failure/use-mutation-state';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useSyncExternalStore } from 'react';
import { gatehouse } from '../client.js';
import { useMe } from '../session/me.js';
import {
  BULK_ACTIONS,
  type BulkAction,
  type BulkRun,
  isOver,
  itemsIn,
  triedAgain,
  withItems,
} from './bulk-run.js';
import { askBatch, type BatchResult, sendBatch } from './run-batch.js';

/** Each user of this browser has their own. Ids are kept, but no names or addresses. */
const keyOf = (ownerId: number) => `gatehouse.bulk.${ownerId}`;

/** The run that was begun in this browser and not dismissed; undefined without one. */
function readKeptRun(ownerId: number): BulkRun | undefined {
  const kept: unknown = JSON.parse(localStorage.getItem(keyOf(ownerId)) ?? 'null');
  return isRun(kept) ? kept : undefined;
}

/** @throws {DOMException} if the browser stores nothing: a run that cannot be stored must not begin */
function keepRun(ownerId: number, run: BulkRun | undefined): void {
  if (run === undefined) localStorage.removeItem(keyOf(ownerId));
  else localStorage.setItem(keyOf(ownerId), JSON.stringify(run));
}

/** Calls the listener when another tab has changed the stored run. */
function watchKeptRun(ownerId: number, listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key === keyOf(ownerId)) listener();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Only this code writes it; an older release may have written another shape. */
function isRun(kept: unknown): kept is BulkRun {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'action' in kept &&
    BULK_ACTIONS.some((action) => action === kept.action) &&
    'items' in kept &&
    Array.isArray(kept.items)
  );
}

/** The number of calls in one request. */
const BATCH = 10;

/** The run of the person signed in, and its progress. */
export interface RunView {
  readonly run: BulkRun | undefined;
  readonly isRunning: boolean;
  /** Whether it pauses or stops once the calls under way are answered. */
  readonly isHalting: boolean;
  /** Why it had to pause. */
  readonly failure: Failure | undefined;
  /** Whether another tab continues it. */
  readonly isElsewhere: boolean;
}

const NO_RUN: RunView = {
  run: undefined,
  isRunning: false,
  isHalting: false,
  failure: undefined,
  isElsewhere: false,
};

let ownerId: number | undefined;

let view = NO_RUN;

let stopWatching: () => void = () => undefined;

const listeners = new Set<() => void>();

function show(change: Partial<RunView>): void {
  view = { ...view, ...change };
  for (const listener of listeners) listener();
}

/** Stores the run before it is shown and before it sends anything. */
function set(run: BulkRun | undefined, change: Partial<RunView> = {}): void {
  if (ownerId !== undefined) keepRun(ownerId, run);
  show({ run, ...change });
}

function watchRun(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The run of a member of staff, as stored in this browser. */
function runOf(memberId: number): RunView {
  if (ownerId !== memberId) {
    ownerId = memberId;
    stopWatching();
    stopWatching = watchKeptRun(memberId, () => {
      if (!view.isRunning) show({ run: readKeptRun(memberId) });
    });
    view = { ...NO_RUN, run: readKeptRun(memberId) };
  }
  return view;
}

/** Begins a run in place of the last one, unless that is not over, here or in another tab. */
export async function startRun(action: BulkAction, reason: string, ids: readonly number[]): Promise<void> {
  const kept = ownerId === undefined ? undefined : readKeptRun(ownerId);
  if (kept !== undefined && !isOver(kept)) {
    show({ run: kept });
    return;
  }
  const { data } = await gatehouse.api.mail.list.query({ limit: 1 });
  const items = ids.map((memberId) => ({ memberId, state: 'waiting' as const }));
  set({ action, reason, lastMailId: data[0]?.id ?? 0, isStopped: false, items }, { failure: undefined });
  goOn();
}

export function pauseRun(): void {
  show({ isHalting: view.isRunning });
}

/** Waiting members are not tried any more. */
export function stopRun(): void {
  if (view.run === undefined) return;
  set({ ...view.run, isStopped: true }, { isHalting: view.isRunning });
}

export function tryAgain(): void {
  if (view.run === undefined) return;
  set(triedAgain(view.run));
  goOn();
}

export function putRunAway(): void {
  set(undefined, { failure: undefined });
}

/** Continues the run. Only one tab does so at a time: a second one could repeat calls. */
export function goOn(): void {
  const owner = ownerId;
  if (owner === undefined || view.isRunning) return;
  show({ isRunning: true, isHalting: false, failure: undefined, isElsewhere: false });
  navigator.locks
    .request(`gatehouse.bulk.${owner}`, { ifAvailable: true }, async (lock) => {
      if (lock === null) show({ isElsewhere: true });
      else await drive(owner);
    })
    .catch((error: unknown) => show({ failure: explainError(error) }))
    .finally(() => show({ isRunning: false, isHalting: false }));
}

async function drive(owner: number): Promise<void> {
  let mayBeOther = false;
  const stopListening = gatehouse.subscribe(() => {
    mayBeOther = true;
    removeEventListener('beforeunload', askBeforeLeaving);
  });
  addEventListener('beforeunload', askBeforeLeaving);
  try {
    show({ run: readKeptRun(owner) });
    while (!view.isHalting && view.run !== undefined && !isOver(view.run)) {
      // Another person may have signed in in another tab. This run is not theirs.
      if (mayBeOther && (await gatehouse.api.session.me.query()).member.id !== owner) return;
      mayBeOther = false;
      await step(view.run);
    }
  } finally {
    stopListening();
    removeEventListener('beforeunload', askBeforeLeaving);
  }
}

/** One request: first for the members whose result is unknown. */
async function step(run: BulkRun): Promise<void> {
  const doubtful = itemsIn(run, 'sent', 'again').slice(0, BATCH);
  if (doubtful.length > 0) {
    await settle(take(await askBatch(run, doubtful)));
    return;
  }
  const batch = itemsIn(run, 'waiting').slice(0, BATCH);
  // From here on these may have been done, even if this tab is closed.
  set(
    withItems(
      run,
      batch.map(({ memberId }) => ({ memberId, state: 'sent' })),
    ),
  );
  const { trouble } = take(await sendBatch(run, batch));
  const unknown = view.run === undefined ? [] : itemsIn(view.run, 'sent');
  if (view.run !== undefined && unknown.length > 0) take(await askBatch(view.run, unknown));
  await settle({ trouble });
}

/** Stores the present results. The run may have been stopped meanwhile. */
function take(result: BatchResult): BatchResult {
  if (view.run !== undefined) set(withItems(view.run, result.items));
  return result;
}

/**
 * Asks who is signed in, if that is the problem.
 * @throws any other error, for which the run pauses
 */
async function settle({ trouble }: Pick<BatchResult, 'trouble'>): Promise<void> {
  let isTold = trouble === undefined;
  await withReauth(async () => {
    if (isTold || trouble === undefined) return;
    isTold = true;
    await Promise.reject(trouble);
  });
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** The run of the person signed in. */
export function useRun(): RunView {
  const { id } = useMe().member;
  return useSyncExternalStore(watchRun, () => runOf(id));
}
