import type { AccessDirectory } from '../../core/access/access-directory.js';

/** The maximum number of turns of the event loop that a call waits. */
const MOST_TURNS = 8;

type Reader = Pick<AccessDirectory, 'current'>;

interface Gathering {
  readonly waiting: { callers: number };
  readonly current: Promise<void>;
}

const gatherings = new WeakMap<Reader, Gathering>();

/**
 * Resolves, like `access.current()`, once every change committed before the call is visible. Introspections of a busy node arrive in
 * several turns of the event loop: while others join, they wait for one more, and then share one read of the change log. A lone one
 * waits for one turn.
 */
export function currentTogether(access: Reader): Promise<void> {
  const known = gatherings.get(access);
  if (known !== undefined) {
    known.waiting.callers += 1;
    return known.current;
  }
  const waiting = { callers: 1 };
  const current = gather(waiting).then(() => {
    gatherings.delete(access);
    return access.current();
  });
  gatherings.set(access, { waiting, current });
  return current;
}

/** Resolves after a turn in which nobody joined. */
async function gather(waiting: Gathering['waiting']): Promise<void> {
  for (let turn = 0, before = 0; turn < MOST_TURNS && waiting.callers > before; turn += 1) {
    before = waiting.callers;
    await endOfTurn();
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
