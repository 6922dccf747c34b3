#!/usr/bin/env node
import { ConfigError } from '@gatehouse/features/app/config';
import type { Command } from './command.js';
import { addPartner } from './commands/add-partner.js';
import { createPersonnel } from './commands/create-personnel.js';
import { deactivatePartner } from './commands/deactivate-partner.js';
import { doctor } from './commands/doctor.js';
import { grants } from './commands/grants.js';
import { hashPasswords } from './commands/hash-passwords.js';
import { importRows } from './commands/import-rows.js';
import { linkPartnerMembers } from './commands/link-partner-members.js';
import { mails } from './commands/mails.js';
import { migrate } from './commands/migrate.js';
import { previewMails } from './commands/preview-mails.js';
import { pruneAudit } from './commands/prune-audit.js';
import { rotatePartnerSecret } from './commands/rotate-partner-secret.js';
import { seedDemo } from './commands/seed-demo.js';
import { seedLoad } from './commands/seed-load.js';
import { start } from './commands/start.js';
import { webhooks } from './commands/webhooks.js';
import { createConsole } from './create-console.js';

const COMMANDS: readonly Command[] = [
  migrate,
  grants,
  pruneAudit,
  hashPasswords,
  seedDemo,
  seedLoad,
  importRows,
  doctor,
  start,
  createPersonnel,
  addPartner,
  rotatePartnerSecret,
  deactivatePartner,
  linkPartnerMembers,
  webhooks,
  mails,
  previewMails,
];

async function main([name, ...args]: readonly string[]): Promise<number> {
  const { say } = createConsole(process.stdout);
  const command = COMMANDS.find((each) => each.name === name);
  if (!command) {
    say('usage: gatehouse <command>\n');
    const width = Math.max(...COMMANDS.map((each) => each.name.length));
    for (const each of COMMANDS) say(`  ${each.name.padEnd(width)}  ${each.summary}`);
    return name === undefined || name === 'help' || name === '--help' ? 0 : 2;
  }
  return command.run({ args, env: process.env, ...createConsole(process.stdout) });
}

// Whoever reads the output may stop early, as `head` does; the work goes on to its end all the same.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
