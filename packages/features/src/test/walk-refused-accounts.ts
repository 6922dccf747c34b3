import { randomId } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import type { OpenApiDocument } from '@gatehouse/http/openapi/open-api-types';
import { createAccessScene, type GuardedCall, type RunningService } from '@gatehouse/testkit';

type AccessScene = Parameters<GuardedCall['make']>[0];

/** Two nodes over one database. */
interface Nodes {
  readonly service: RunningService;
  readonly other: RunningService;
  readonly db: Database;
}

/** A call of a procedure in a scene, whose account holds `CONTENT`. */
export interface RefusedCall {
  readonly name: string;
  readonly call: Pick<GuardedCall, 'as' | 'type' | 'isConfirmed' | 'isAged' | 'make'>;
}

/** The effect of a call in a world where every account requires a level. */
export interface Walked {
  readonly name: string;
  readonly as: GuardedCall['as'];
  readonly status: number;
  /** The tables with a row of an account that the call changed, added or removed. */
  readonly changes: readonly string[];
  /** The content of the scene's account that its answer has. */
  readonly tells: readonly string[];
  /** The code of a refusal that the service's OpenAPI document does not name for the call. */
  readonly undocumented: string | undefined;
}

/** Makes a call at a session of level 1, first while no account requires more, then while all accounts require `level`. */
export async function walkRefusedAccounts(
  nodes: Nodes,
  calls: readonly RefusedCall[],
  level: number,
): Promise<readonly { readonly opened: Walked; readonly refused: Walked }[]> {
  const walked = [];
  const document = (await (await nodes.service.send('/openapi.json')).json()) as OpenApiDocument;
  const lastAccountId = Math.max(...(await idsOfAccounts(nodes.db)));
  for (const each of calls) {
    const opened = await callOnce(nodes, each, { level: 1, lastAccountId, document });
    const refused = await callOnce(nodes, each, { level, lastAccountId, document });
    walked.push({ opened, refused });
  }
  return walked;
}

async function callOnce(
  nodes: Nodes,
  { name, call }: RefusedCall,
  { level, lastAccountId, document }: { level: number; lastAccountId: number; document: OpenApiDocument },
): Promise<Walked> {
  const { db, service } = nodes;
  await forgetScenes(db, lastAccountId);
  await askEverywhere(db, 1);
  const { as, type = 'mutation', isConfirmed = false, isAged = false } = call;
  const scene = await createAccessScene(nodes, as, { isConfirmed, isAged });
  const content = await fillAccount(scene);
  const { input } = await call.make(scene);
  await askEverywhere(db, level);
  const before = await rowsOfAccounts(db);
  const path = `/v1/${name.replaceAll('.', '/')}`;
  const response =
    type === 'query'
      ? await service.send(`${path}?${queryOf(input)}`, { headers: scene.headers })
      : await service.send(path, { headers: scene.headers, body: input });
  const text = await response.text();
  const after = await rowsOfAccounts(db);
  return {
    name,
    as,
    status: response.status,
    changes: Object.keys(after).filter((table) => after[table] !== before[table]),
    undocumented: response.ok
      ? undefined
      : undocumentedCode(document, { path, type, text, status: response.status }),
    tells: Object.entries(content).flatMap(([what, marker]) => (text.includes(marker) ? [what] : [])),
  };
}

function undocumentedCode(
  { components, paths }: OpenApiDocument,
  { path, type, status, text }: { path: string; type: string; status: number; text: string },
): string | undefined {
  const { error } = JSON.parse(text) as { error: { code: string } };
  const described = paths[path]?.[type === 'query' ? 'get' : 'post']?.responses[status];
  const response =
    described && '$ref' in described
      ? components.responses[described.$ref.split('/').at(-1) ?? '']
      : described;
  return error.code in (response?.content?.['application/json']?.examples ?? {}) ? undefined : error.code;
}

function queryOf(input: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) query.append(name, String(value));
  return query.toString();
}

/** Makes every account, open or closed, require a level of each session. */
async function askEverywhere(db: Database, level: number): Promise<void> {
  const { accounts } = db.tables;
  await changeAccess(db, { accounts: await idsOfAccounts(db) }, (tx) =>
    tx.write(tx.update(accounts).set({ requiredLevel: level, requiredFromMs: null })),
  );
}

/** Fills the scene's account. Returns texts that occur nowhere else, by their meaning. */
async function fillAccount({
  db,
  accountId,
  caller,
  subject: someone,
}: AccessScene): Promise<Readonly<Record<string, string>>> {
  const { accounts, auditLog, conversations, customRoles, invitations, messages, participants, subjects } =
    db.tables;
  const nowMs = Date.now();
  const at = { createdAtMs: nowMs, updatedAtMs: nowMs };
  const marker = (what: string) => `${what}-${randomId()}`.toLowerCase();
  const [subject, title, body, role, email, action] = [
    marker('subject'),
    marker('title'),
    marker('body'),
    marker('role'),
    `${marker('guest')}@many.test`,
    `account.${marker('line')}`,
  ];
  const subjectId = await db.insert(subjects, { accountId, name: subject, createdAtMs: nowMs });
  const talk = { accountId, subjectId, title, createdAtMs: nowMs };
  const conversationId = await db.insert(conversations, talk);
  await db.insert(participants, { conversationId, memberId: caller.id, joinedAtMs: nowMs });
  for (const { id: memberId } of [caller, someone])
    await db.insert(messages, { conversationId, memberId, body, createdAtMs: nowMs });
  const permissions = ['account.read'];
  await db.insert(customRoles, { accountId, name: role, nameKey: role, roleType: 5, permissions, ...at });
  const invited = { accountId, inviterId: caller.id, email, emailKey: email, roleType: 5 } as const;
  await db.insert(invitations, { ...invited, status: 'open', expiresAtMs: nowMs + 86_400_000, ...at });
  const line = { accountId, atMs: nowMs, actorId: caller.id, subjectKind: 'account', subjectId: '1' };
  await db.insert(auditLog, { ...line, action });
  const rows = await db.select({ id: accounts.id, name: accounts.name }).from(accounts);
  const account = rows.find(({ id }) => id === accountId)?.name ?? '';
  return { member: someone.email, account, subject, title, body, role, email, action };
}

async function idsOfAccounts(db: Database): Promise<number[]> {
  const { accounts } = db.tables;
  return (await db.select({ id: accounts.id }).from(accounts)).map(({ id }) => id);
}

/** Tables with rows of accounts, by the column that names the account. */
const OF_SCENES = {
  account_id: [
    'billing_checkouts',
    'billing_customers',
    'custom_roles',
    'memberships',
    'personnel_grants',
    'subjects',
    'subscriptions',
    'webhook_log',
  ],
  id: ['accounts'],
};

/** Removes the accounts of earlier calls and what they left in others, so that calls do not become slower. */
async function forgetScenes(db: Database, lastAccountId: number): Promise<void> {
  const { messages, participants, conversations, invitations, auditLog } = db.tables;
  for (const table of [messages, participants, conversations, invitations, auditLog])
    await db.write(db.delete(table));
  for (const [column, tables] of Object.entries(OF_SCENES))
    for (const table of tables) {
      const sql = `delete from ${table} where ${column} > ?`;
      await db.write({ toSQL: () => ({ sql, params: [lastAccountId] }) });
    }
}

/** The rows of all accounts as text, by table, and the lines of their audit logs. */
async function rowsOfAccounts(db: Database): Promise<Record<string, string>> {
  const t = db.tables;
  const rows = {
    accounts: await db.select().from(t.accounts),
    // The search index writes the names of members there.
    memberships: (await db.select().from(t.memberships)).map((row) => ({ ...row, name: null })),
    grants: await db.select().from(t.personnelGrants),
    roles: await db.select().from(t.customRoles),
    invitations: await db.select().from(t.invitations),
    subscriptions: await db.select().from(t.subscriptions),
    customers: await db.select().from(t.billingCustomers),
    checkouts: await db.select().from(t.billingCheckouts),
    conversations: await db.select().from(t.conversations),
    participants: await db.select().from(t.participants),
    messages: await db.select().from(t.messages),
    subjects: await db.select().from(t.subjects),
    deliveries: (await db.select().from(t.webhookLog)).filter((row) => row.accountId !== null),
    audit: (await db.select().from(t.auditLog)).filter((line) => line.accountId !== null),
  };
  return Object.fromEntries(Object.entries(rows).map(([table, found]) => [table, JSON.stringify(found)]));
}
