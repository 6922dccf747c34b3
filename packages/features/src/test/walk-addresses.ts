import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import type { ListedProcedure } from '@gatehouse/http/trpc/list-procedures';
import { createAccessScene, type GuardedCall, type RunningService, SCENE_PASSWORD } from '@gatehouse/testkit';
import { z } from 'zod';
import { changeColumn } from './change-column.js';

type Scene = Parameters<GuardedCall['make']>[0];

/** Two nodes over one database. */
interface Nodes {
  readonly service: RunningService;
  readonly other: RunningService;
  readonly db: Database;
}

/** What is known of the address of a member. */
type Status = 'unconfirmed' | 'clicked' | 'proven';

/** The owner of the address: the caller, or the other member of the scene. */
const HOLDERS = ['caller', 'subject'] as const;
type Holder = (typeof HOLDERS)[number];

/** A call that succeeds while everybody in its scene has proven their address. */
export interface AddressCall {
  readonly name: string;
  /** Distinguishes several calls of one procedure. */
  readonly way?: string;
  readonly call: Pick<GuardedCall, 'as' | 'isConfirmed' | 'isAged' | 'make'>;
}

/** The answer and effect of a call for each state of one member's address. */
export interface AddressOutcomes extends Readonly<Record<Status, string>> {
  /** The procedure, the way to call it and whose address it is. */
  readonly place: string;
}

/** Makes every call with every state of the caller's address, and of the other member's. */
export async function walkAddresses(
  nodes: Nodes,
  calls: readonly AddressCall[],
): Promise<readonly AddressOutcomes[]> {
  const walked: AddressOutcomes[] = [];
  for (const each of calls) {
    const proven = await outcomesOf(nodes, each, {});
    for (const holder of HOLDERS) {
      const outcomes = { unconfirmed: '', clicked: '', proven: proven[holder] };
      for (const standing of ['unconfirmed', 'clicked'] as const)
        outcomes[standing] = (await outcomesOf(nodes, each, { [holder]: standing }))[holder];
      const place = [each.name, ...(each.way === undefined ? [] : [each.way]), holder].join(', ');
      walked.push({ place, ...outcomes });
    }
  }
  return walked;
}

/** Where the state of an address matters. */
export interface AddressRules {
  /** The calls for which a click is not enough, and the outcome if the address was only clicked. */
  readonly provenAlone: Readonly<Record<string, string>>;
  /** The calls for which a click is enough. Answers that only show people whether an address was clicked are not included. */
  readonly clicked: readonly string[];
  /** The procedures that refused every call of the walk. */
  readonly unreached: readonly string[];
}

export function addressRules(walked: readonly AddressOutcomes[]): AddressRules {
  const nameOf = ({ place }: AddressOutcomes) => place.split(',')[0] ?? '';
  const reached = new Set(walked.filter(({ proven }) => proven.startsWith('200')).map(nameOf));
  const isShown = (outcome: string) => outcome.includes(' emailVerified');
  const byClick = walked.filter(
    ({ unconfirmed, clicked, proven }) =>
      clicked === proven && clicked !== unconfirmed && !(isShown(unconfirmed) && isShown(clicked)),
  );
  return {
    provenAlone: Object.fromEntries(
      walked
        .filter(({ clicked, proven }) => clicked !== proven)
        .map(({ place, clicked }) => [place, clicked]),
    ),
    clicked: byClick.map(({ place }) => place).toSorted(),
    unreached: [...new Set(walked.map(nameOf))].filter((name) => !reached.has(name)).toSorted(),
  };
}

/** The calls of a service: the given ones, and those with fields that the walk knows for all other procedures. */
export function callsOf(
  procedures: readonly ListedProcedure[],
  given: readonly AddressCall[],
  makes: Readonly<Record<string, GuardedCall['make']>> = {},
): readonly AddressCall[] {
  const named = new Set(given.map(({ name }) => name));
  const others = procedures.filter(({ name }) => !named.has(name));
  const withRoles = given.flatMap((each) => {
    const fields = fieldsOf(procedures.find(({ name }) => name === each.name));
    if (!fields.includes('roleType') || each.way !== undefined || each.name === 'role.save') return [];
    return [0, 1].map((roleType) => ({
      name: each.name,
      way: `role ${roleType}`,
      call: {
        ...each.call,
        as: each.call.as === 'accountManager' ? ('owner' as const) : ('root' as const),
        make: async (scene: Scene) => {
          const { input } = await each.call.make(scene);
          return { input: { ...input, roleType } };
        },
      },
    }));
  });
  return [
    ...given,
    ...withRoles,
    ...others.map((procedure) => ({
      name: procedure.name,
      call: {
        as: callerOf(procedure),
        make: makes[procedure.name] ?? ((scene: Scene) => ({ input: knownFields(procedure, scene) })),
      },
    })),
  ];
}

function callerOf({ rule }: ListedProcedure): GuardedCall['as'] {
  if (rule?.who === 'partner') return 'partner';
  if (rule?.who === 'root' || rule?.who === 'staff') return 'root';
  if (rule?.who === 'account') return rule.staffOnly || rule.staffWithoutAccount ? 'manager' : 'owner';
  return 'member';
}

function fieldsOf(procedure: ListedProcedure | undefined): readonly string[] {
  const options = { io: 'input', unrepresentable: 'any' } as const;
  const schema = z.toJSONSchema(procedure?.input ?? z.object({}), options);
  return Object.keys(schema.properties ?? {});
}

function knownFields(procedure: ListedProcedure, { caller, subject, accountId }: Scene): object {
  const isPublic = procedure.rule?.who === 'anyone';
  const known: Readonly<Record<string, unknown>> = {
    accountId,
    email: caller.email,
    memberId: subject.id,
    ownerId: caller.id,
    password: SCENE_PASSWORD,
    personnelId: caller.id,
    search: 'm',
    userId: subject.id,
    ...(isPublic ? {} : { reason: 'They asked for it' }),
  };
  const fields = fieldsOf(procedure);
  return Object.fromEntries(Object.entries(known).filter(([name]) => fields.includes(name)));
}

/** Makes a call in a separate scene, where addresses are proven if nothing else is given. Returns what it did for each member. */
async function outcomesOf(
  nodes: Nodes,
  { name, way, call }: AddressCall,
  standings: Readonly<Partial<Record<Holder, Status>>>,
): Promise<Record<Holder, string>> {
  const { service, db } = nodes;
  const { as, isConfirmed = false, isAged = false, make } = call;
  await db.write(db.delete(db.tables.mailOutbox));
  const scene = await createAccessScene(nodes, as, { isConfirmed, isAged });
  const { input } = await make(scene);
  for (const each of HOLDERS) await setStatus(db, scene[each].id, standings[each] ?? 'proven');
  const headers = { ...(way === undefined ? {} : { accountid: String(scene.accountId) }), ...scene.headers };
  const response = await service.send(`/v1/${name.replaceAll('.', '/')}`, { headers, body: input });
  const mails = await db.select().from(db.tables.mailOutbox);
  const text = await response.text();
  const answer: unknown = text.startsWith('{') ? JSON.parse(text) : {};
  const { error } = errorShape.parse(answer);
  const outcomeFor = ({ email, id }: { readonly email: string; readonly id: number }) => {
    const kinds = mails.filter(({ recipient }) => recipient === email).map(({ kind }) => kind);
    const code = error === undefined ? [] : [error.code];
    return [response.status, ...code, ...kinds.toSorted(), ...tellsIn(answer, { email, id })].join(' ');
  };
  return { caller: outcomeFor(scene.caller), subject: outcomeFor(scene.subject) };
}

const errorShape = z.looseObject({ error: z.looseObject({ code: z.string() }).optional() });

/** The parts of an answer, and of the tokens in it, about a member's address, and whether a list has rows. */
function tellsIn(answer: unknown, person: { readonly email: string; readonly id: number }): string[] {
  const tells = new Set<string>();
  const visit = (value: unknown, name = ''): void => {
    if (Array.isArray(value)) {
      if (name === 'data') tells.add(`${value.length > 0 ? 'some' : 'no'} rows`);
      for (const each of value) visit(each);
    } else if (typeof value === 'object' && value !== null) {
      const { emailVerified, email, id, userId } = personShape.parse(value);
      const isThem = email === person.email || id === person.id || userId === person.id;
      if (emailVerified !== undefined && isThem) tells.add(`emailVerified ${String(emailVerified)}`);
      for (const [key, each] of Object.entries(value)) visit(each, key);
    } else if (typeof value === 'string') {
      const claims = /eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+/.exec(value)?.[1];
      if (claims !== undefined) visit(JSON.parse(Buffer.from(claims, 'base64url').toString()));
    }
  };
  visit(answer);
  return [...tells].toSorted();
}

const personShape = z.looseObject({
  emailVerified: z.boolean().optional().catch(undefined),
  email: z.unknown().optional(),
  id: z.unknown().optional(),
  userId: z.unknown().optional(),
});

async function setStatus(db: Database, id: number, standing: Status): Promise<void> {
  const nowMs = Date.now();
  const confirmed = { table: 'members', column: 'email_confirmed_at_ms', id };
  const proven = { table: 'members', column: 'owner_proven_at_ms', id };
  await changeColumn(db, confirmed, standing === 'unconfirmed' ? null : nowMs);
  await changeColumn(db, proven, standing === 'proven' ? nowMs : null);
  await changeAccess(db, { members: [id] }, () => Promise.resolve());
}
