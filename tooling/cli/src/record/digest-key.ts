import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { operatorPath } from '../operator-audit.js';

const KEY_BYTES = 32;

/** A new key of digests, as text. */
export const newDigestKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

/**
 * The key of digests in a file that the operator names.
 * @throws {CommandError} if it is not one
 */
export async function readDigestKey(context: CommandContext, named: string): Promise<Buffer> {
  const text = (await readFile(operatorPath(context, named), 'utf8')).trim();
  const key = Buffer.from(text, 'base64url');
  if (key.length !== KEY_BYTES || key.toString('base64url') !== text)
    throw new CommandError(`${named} has no key: it is one line, as gatehouse record prints it.`);
  return key;
}
