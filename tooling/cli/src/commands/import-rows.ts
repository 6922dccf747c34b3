import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Database } from '@gatehouse/db';
import type { Command, CommandContext } from '../command.js';
import { importBatch } from '../import/import-batch.js';
import { readRecord } from '../import/read-record.js';
import type { ImportRecord } from '../import/record.js';
import { createProgressBar } from '../progress-bar.js';
import { rolesIn } from '../roles-in.js';
import { withDatabase } from '../with-database.js';

/** So many lines are one transaction. */
const LINES_AT_ONCE = 100;

export const importRows: Command = {
  name: 'import',
  summary: 'bring members, accounts and who is in which from another system: <file of JSON lines, or ->',
  async run(context) {
    const { positionals } = parseArgs({ args: [...context.args], allowPositionals: true });
    const [path] = positionals;
    if (path === undefined || positionals.length > 1) {
      context.say('usage: gatehouse import <file, or - for standard input>; see docs/importing.md');
      return 2;
    }
    const bytes = path === '-' ? undefined : (await stat(path)).size;
    return withDatabase(context, (db) => {
      // Not before the database is open: lines that come while nobody reads them are lost.
      const lines = createInterface({ input: path === '-' ? process.stdin : createReadStream(path) });
      return importLines(db, lines, bytes, context);
    });
  },
};

interface Line {
  number: number;
  record: ImportRecord;
}

async function importLines(
  db: Database,
  lines: AsyncIterable<string>,
  bytes: number | undefined,
  context: CommandContext,
): Promise<number> {
  const counts = { added: 0, there: 0, problems: 0 };
  const roles = rolesIn(context);
  const progress = showProgress(bytes, context);
  const tell = (number: number, problem: string) => {
    counts.problems += 1;
    context.say(`line ${number}: ${problem}`);
  };
  let batch: Line[] = [];
  const write = async () => {
    const nowMs = Date.now();
    const outcomes = await importBatch(
      { db, roles, nowMs },
      batch.map(({ record }) => record),
    );
    for (const [at, { number }] of batch.entries()) {
      const outcome = outcomes[at];
      if (outcome === 'added' || outcome === 'there') counts[outcome] += 1;
      else tell(number, outcome?.problem ?? 'was left out');
    }
    batch = [];
  };
  let number = 0;
  for await (const line of lines) {
    number += 1;
    progress(Buffer.byteLength(line) + 1);
    if (line.trim() === '') continue;
    const record = readRecord(line, roles);
    if ('problem' in record) tell(number, record.problem);
    else batch.push({ number, record });
    if (batch.length === LINES_AT_ONCE) await write();
  }
  await write();
  context.say(
    `${counts.added} added, ${counts.there} were there before, ${counts.problems} lines with a problem.`,
  );
  return counts.problems === 0 ? 0 : 1;
}

/** How far a file has been read; of standard input nobody knows. */
function showProgress(bytes: number | undefined, { say, draw }: CommandContext): (bytes: number) => void {
  if (bytes === undefined) return () => undefined;
  return createProgressBar({ title: 'bytes', total: bytes, draw, say }).advance;
}
