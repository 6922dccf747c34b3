import { tableRights } from './table-rights.js';

/**
 * The statements that grant a MySQL account the services' rights, for the tables of this version.
 *
 * @param account as the server writes it: `gatehouse@%`
 */
export function grantStatements(database: string, account: string): string[] {
  const at = account.lastIndexOf('@');
  const grantee = `${quoted(account.slice(0, at))}@${quoted(account.slice(at + 1))}`;
  return tableRights().map(
    ({ table, rights }) =>
      `GRANT ${rights.join(', ')} ON \`${database.replaceAll('`', '``')}\`.\`${table}\` TO ${grantee}`,
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
