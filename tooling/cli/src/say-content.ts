import type { CommandContext } from './command.js';

/** Says what a checked copy of the database holds. */
export function sayContent(
  { say }: Pick<CommandContext, 'say'>,
  { rows, newestAtMs }: { rows: ReadonlyMap<string, number>; newestAtMs: number | undefined },
): void {
  const [members = 0, accounts = 0, lines = 0] = ['members', 'accounts', 'audit_log'].map((table) =>
    rows.get(table),
  );
  const newest = newestAtMs === undefined ? '' : `, the newest of ${new Date(newestAtMs).toISOString()}`;
  say(`Checked: ${members} members, ${accounts} accounts, ${lines} lines of the audit log${newest}.`);
}
