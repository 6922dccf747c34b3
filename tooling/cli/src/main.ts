#!/usr/bin/env node
import { VERSION } from '@gatehouse/auth-core';
import { COMMANDS } from './commands.js';
import { createConsole } from './create-console.js';
import { explainFailure } from './explain-failure.js';
import { nearestName } from './nearest-name.js';

const HELP = new Set(['help', '--help', '-h']);
const VERSIONS = new Set(['--version', '-v']);

async function main([name, ...args]: readonly string[]): Promise<number> {
  const { say } = createConsole(process.stdout);
  if (name !== undefined && VERSIONS.has(name)) {
    say(VERSION);
    return 0;
  }
  if (name === undefined || (HELP.has(name) && args.length === 0)) return list();
  if (HELP.has(name)) return main([...args.slice(0, 1), '--help']);
  const terminal = createConsole(process.stdout);
  const command = COMMANDS.find((each) => each.name === name);
  if (command) return command.run({ args, env: process.env, ...terminal });
  const names = COMMANDS.map((each) => each.name);
  const nearest = nearestName(name, names);
  terminal.say(
    `There is no command ${name}. ${nearest === undefined ? 'gatehouse help lists those there are.' : `Did you mean ${nearest}?`}`,
  );
  return 2;
}

function list(): number {
  const { say } = createConsole(process.stdout);
  say('usage: gatehouse <command>, and gatehouse <command> --help for its options\n');
  const width = Math.max(...COMMANDS.map((each) => each.name.length));
  for (const each of COMMANDS) say(`  ${each.name.padEnd(width)}  ${each.summary}`);
  return 0;
}

// A reader such as `head` may close the output early. The work still finishes.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${explainFailure(error, process)}\n`);
    process.exitCode = 1;
  },
);
