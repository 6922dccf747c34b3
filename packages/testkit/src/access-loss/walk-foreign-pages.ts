import { createAccessScene } from './access-scene.js';
import type { AccessWorld } from './access-world.js';
import { dumpEffects } from './dump-effects.js';
import type { GuardedCall } from './guarded-call.js';

/** A request for a session in a cookie, sent by a page that may not use the cookie. */
const FOREIGN_PAGE = { 'x-gatehouse-client': 'cookie', origin: 'https://elsewhere.test' };

export interface WalkedPage {
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
