import { CommandError } from '../command-error.js';

/** The system's reasons for refusing a write, in words that the path completes. */
const REFUSALS: Readonly<Record<string, string>> = {
  ENOSPC: 'There is no room left for',
  EDQUOT: 'There is no room left for',
  EFBIG: 'The disk or this user may hold no file as large as',
  EACCES: 'This user may not write',
  EPERM: 'This user may not write',
  EROFS: 'The disk can only be read:',
  ENOTDIR: 'There is a file where a folder should be:',
  EEXIST: 'There is something already:',
  ELOOP: 'There is a link where a file should be:',
  ENOENT: 'Another run seems to have removed',
  EIO: 'The disk fails to write',
};

/**
 * Writes, and says in words for the operator what the system refused.
 * @throws {CommandError} in place of an error of the file system
 */
export async function writingTo<Answer>(path: string, write: () => Promise<Answer>): Promise<Answer> {
  try {
    return await write();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const refusal = REFUSALS[code];
    if (refusal === undefined) throw cause;
    throw new CommandError(`${refusal} ${path}.`, { cause });
  }
}
