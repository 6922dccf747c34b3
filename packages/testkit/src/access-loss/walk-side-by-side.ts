import type { AccessWorld } from './access-world.js';
import type { GuardedCall } from './guarded-call.js';

/** A walk mostly waits, so several can run on a machine. */
const WORLDS = 4;

type Calls = Readonly<Record<string, GuardedCall>>;

/** Runs the calls in several worlds at once, each with a share of them and its own database. */
export async function walkSideBySide<Walked>(
  start: () => Promise<AccessWorld>,
  calls: Calls,
  walk: (world: AccessWorld, share: Calls) => Promise<readonly Walked[]>,
): Promise<Walked[]> {
  const walked = await Promise.all(
    Array.from({ length: WORLDS }, async (_, at) => {
      const share = Object.entries(calls).filter((_call, index) => index % WORLDS === at);
      await using world = await start();
      return await walk(world, Object.fromEntries(share));
    }),
  );
  return walked.flat();
}
