import { createAccessScene } from './access-scene.js';
import type { AccessWorld } from './access-world.js';
import { dumpEffects } from './dump-effects.js';
import type { GuardedCall } from './guarded-call.js';

/** A request for a session in a cookie, sent by a page that may not use the cookie. */
const FOREIGN_PAGE = { 'x-gatehouse-client': 'cookie', origin: 'https://elsewhere.test' };

interface WalkedPage {
  readonly call: string;
  readonly status: number;
  readonly code: string;
  /** The tables that the call changed. */
  readonly changed: readonly string[];
}

/**
 * Sends each call as a foreign page would, with everything that makes it succeed from a page that may use the cookie.
 * @param open the inputs of the calls that need no guard, by name
 */
export async function walkForeignPages(
  world: AccessWorld,
  calls: Readonly<Record<string, GuardedCall>>,
  open: Readonly<Record<string, object>>,
): Promise<WalkedPage[]> {
  const walked: WalkedPage[] = [];
  for (const [name, { as, type, isConfirmed = false, make }] of Object.entries(calls)) {
    if (type === 'query') continue;
    const scene = await createAccessScene(world, as, { isConfirmed });
    const { input } = await make(scene);
    walked.push(await send(world, name, { input, headers: scene.headers }));
  }
  for (const [name, input] of Object.entries(open))
    walked.push(await send(world, name, { input, headers: {} }));
  return walked;
}

async function send(
  { service, db }: AccessWorld,
  call: string,
  { input, headers }: { readonly input: object; readonly headers: Readonly<Record<string, string>> },
): Promise<WalkedPage> {
  const before = await dumpEffects(db);
  const path = `/v1/${call.replaceAll('.', '/')}`;
  const response = await service.send(path, { headers: { ...headers, ...FOREIGN_PAGE }, body: input });
  const code = /"code":"(\w+)"/.exec(await response.text())?.[1] ?? '';
  const after = await dumpEffects(db);
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  return { call, status: response.status, code, changed };
}

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
