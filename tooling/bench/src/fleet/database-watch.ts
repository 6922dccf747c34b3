import { readFile } from 'node:fs/promises';
import { createConnection, type RowDataPacket } from 'mysql2/promise';

export interface DatabaseUse {
  readonly readsPerSecond: number;
  /** Processor cores in use; undefined for a server that is not on this machine. */
  readonly cores: number | undefined;
}

export interface DatabaseWatch extends AsyncDisposable {
  /** Begins to measure; call the returned function to end it. */
  begin(): Promise<() => Promise<DatabaseUse>>;
}

/** Clock ticks a second in proc(5), on every Linux that runs Node. */
const TICKS = 100;

/** Watches a server: its statements that read, and the processor time of its process. */
export async function watchDatabase(url: string, pid: number | undefined): Promise<DatabaseWatch> {
  const connection = await createConnection(url);
  const now = async () => {
    const [[row]] = await connection.query<RowDataPacket[]>("show global status like 'Com_select'");
    return {
      atMs: performance.now(),
      selects: Number(row?.['Value']),
      ticks: pid === undefined ? undefined : await ticksOf(pid),
    };
  };
  return {
    async begin() {
      const before = await now();
      return async () => {
        const after = await now();
        const seconds = (after.atMs - before.atMs) / 1_000;
        return {
          readsPerSecond: (after.selects - before.selects) / seconds,
          cores:
            before.ticks === undefined || after.ticks === undefined
              ? undefined
              : (after.ticks - before.ticks) / TICKS / seconds,
        };
      };
    },
    [Symbol.asyncDispose]: () => connection.end(),
  };
}

/** Time in user and in system mode. The second field may contain spaces, so count from its bracket. */
async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
