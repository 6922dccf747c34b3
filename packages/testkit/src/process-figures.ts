import { readdir, readFile } from 'node:fs/promises';

/** The memory and open files of a process. */
export interface ProcessFigures {
  /** Resident memory in MiB. */
  readonly memoryMib: number;
  /** Open files and sockets. */
  readonly descriptors: number;
}

/** Reads the figures of a process from proc(5). */
export async function readProcessFigures(pid: number): Promise<ProcessFigures> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  const descriptors = await readdir(`/proc/${pid}/fd`);
  return { memoryMib: Math.round(kibibytes / 1_024), descriptors: descriptors.length };
}
