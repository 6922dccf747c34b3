import type { AdminInputs } from '@gatehouse/client-sdk/admin';
import { csv, saveFile } from '@gatehouse/ui/export/export-file';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';

/** The maximum page size of a list. */
const PAGE = 200;

/** The maximum number of rows in one file. */
const MAX_ROWS = 10_000;

interface Page<Row> {
  readonly data: readonly Row[];
  readonly page: { readonly nextCursor: string | null };
}

type ReadPage<Row> = (
  page: { readonly limit: number; readonly cursor?: string },
  signal: AbortSignal,
) => Promise<Page<Row>>;

/**
 * Reads all rows, page by page.
 * @param most the maximum number of rows
 * @param onRead how many there are so far
 * @returns `isCut` where there are more than that
 */
export async function readPages<Row>(
  read: ReadPage<Row>,
  most: number,
  { signal, onRead }: { readonly signal: AbortSignal; readonly onRead: (count: number) => void },
): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const limit = Math.min(PAGE, most - rows.length);
    const { data, page }: Page<Row> = await read({ limit, ...(cursor === null ? {} : { cursor }) }, signal);
    rows.push(...data);
    onRead(rows.length);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < most);
  return { rows, isCut: cursor !== null };
}

/** Saves a list as CSV. Records the export in the audit log before reading the first row. */
export function ExportCsv<Row>({
  list,
  filters,
  file,
  read,
  head,
  row,
}: {
  readonly list: AdminInputs['export']['begin']['list'];
  readonly filters: object;
  /** The name of the file, without its ending. */
  readonly file: string;
  readonly read: ReadPage<Row>;
  readonly head: readonly string[];
  readonly row: (each: Row) => readonly (string | number)[];
}): ReactElement {
  const mutation = useMutationState();
  const [status, setStatus] = useState('');

  async function take(signal: AbortSignal): Promise<void> {
    await gatehouse.api.export.begin.mutate({ list, filters: { ...filters } }, { signal });
    const { rows, isCut } = await readPages(read, MAX_ROWS, {
      signal,
      onRead: (count) => setStatus(t('csv.read', { count })),
    });
    saveFile(`${file}.csv`, csv([head, ...rows.map(row)]), 'text/csv');
    setStatus(t(isCut ? 'csv.cut' : 'csv.done', { count: rows.length }));
  }

  return (
    <>
      <Button
        isBusy={mutation.isBusy}
        onClick={() => {
          setStatus('');
          mutation.send(take);
        }}
      >
        {t('csv.open')}
      </Button>
      {mutation.isBusy ? <Button onClick={mutation.cancel}>{t('csv.cancel')}</Button> : null}
      <p role="status" className="self-center text-quiet empty:hidden">
        {mutation.failure === undefined ? status : ''}
      </p>
      {mutation.failure === undefined ? null : (
        <div className="w-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
    </>
  );
}
