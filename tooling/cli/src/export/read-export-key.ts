import { readFile } from 'node:fs/promises';
import type { CommandContext } from '../command.js';
import { operatorPath } from '../operator-audit.js';
import { createExportCipher, type ExportCipher } from './export-cipher.js';

/**
 * The cipher of the key in a file.
 * @throws {CommandError} if the file holds something else
 */
export async function readExportKey(context: CommandContext, named: string): Promise<ExportCipher> {
  return createExportCipher((await readFile(operatorPath(context, named), 'utf8')).trim());
}
