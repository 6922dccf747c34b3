import ts from 'typescript';

/** The columns that decide about access, or `all` columns of a table. */
const GUARDED: Readonly<Record<string, readonly string[] | 'all'>> = {
  members: [
    'roleType',
    'role',
    'bannedRoleType',
    'bannedUntilMs',
    'isPersonnel',
    'isDeleted',
    'password',
    'sessionEpoch',
    'tokensValidAfterMs',
    'authTokenDigest',
  ],
  accounts: ['isDeleted', 'ownerId', 'createdByPartnerId', 'allowsAgents', 'blockedClientHosts'],
  memberships: ['memberId', 'accountId', 'roleType', 'customRoleId', 'isDeleted', 'active'],
  customRoles: 'all',
  personnelGrants: 'all',
  applications: ['active', 'scopes', 'removedAtMs'],
  applicationSecrets: ['applicationId', 'digest'],
  consents: ['memberId', 'applicationId', 'accountId', 'resourceId', 'scopes'],
  subscriptions: ['provider', 'trialEndsAtMs', 'periodEndsAtMs', 'cancelAtMs', 'pastDueAtMs'],
};

const WRITES = new Set(['insert', 'insertMany', 'insertOnce', 'update', 'delete']);

/** A place in a source that writes data for access decisions. */
export interface GuardedWrite {
  /** As `update members (roleType)`. */
  what: string;
  line: number;
  /** The function of the source that it is in. */
  within: string;
  /** The declared type of its database handle. */
  handle: string;
}

/** Finds every write of data for access decisions in a source, with the type of its handle. */
export function listGuardedWrites(source: string): GuardedWrite[] {
  const file = ts.createSourceFile('query.ts', source, ts.ScriptTarget.Latest, true);
  const found: GuardedWrite[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression: receiver, name } = node.expression;
      const table = tableName(node.arguments[0]);
      const guarded = table === undefined ? undefined : GUARDED[table];
      if (table !== undefined && guarded !== undefined && WRITES.has(name.text)) {
        const columns = name.text === 'update' && guarded !== 'all' ? columnsSet(node, guarded) : ['all'];
        if (columns.length > 0) {
          found.push({
            what: `${name.text} ${table} (${columns.join(', ')})`,
            line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
            within: outermostFunction(node),
            handle: declaredType(receiver),
          });
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `members`, `tx.tables.members` and `db.tables.members` all name the same table. */
function tableName(argument: ts.Expression | undefined): string | undefined {
  if (argument === undefined) return undefined;
  if (ts.isIdentifier(argument)) return argument.text;
  return ts.isPropertyAccessExpression(argument) ? argument.name.text : undefined;
}

/** The guarded columns that an update sets; all of them if its values cannot be read here. */
function columnsSet(update: ts.CallExpression, guarded: readonly string[]): readonly string[] {
  const set = update.parent;
  const call = ts.isPropertyAccessExpression(set) && set.name.text === 'set' ? set.parent : undefined;
  const values = call !== undefined && ts.isCallExpression(call) ? call.arguments[0] : undefined;
  if (values === undefined || !ts.isObjectLiteralExpression(values)) return guarded;
  const names = values.properties.map((property) => property.name?.getText());
  return names.includes(undefined) ? guarded : guarded.filter((column) => names.includes(column));
}

/** The type of the parameter with this name in the nearest enclosing function. */
function declaredType(receiver: ts.Expression): string {
  if (!ts.isIdentifier(receiver)) return 'unknown';
  for (let node: ts.Node = receiver; node.parent !== undefined; node = node.parent) {
    if (!ts.isFunctionLike(node)) continue;
    const parameter = node.parameters.find(({ name }) => name.getText() === receiver.text);
    if (parameter !== undefined) return parameter.type?.getText() ?? 'unknown';
  }
  return 'unknown';
}

function outermostFunction(write: ts.Node): string {
  let name = 'none';
  for (let node = write; node.parent !== undefined; node = node.parent)
    if (ts.isFunctionDeclaration(node)) name = node.name?.text ?? name;
  return name;
}
