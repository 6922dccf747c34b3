import { type CollectedExport, withPage } from '@gatehouse/ui/export/collected-export';
import { saveFile } from '@gatehouse/ui/export/save-file';
import { useSending } from '@gatehouse/ui/failure/use-sending';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { StillAsking } from '@gatehouse/ui/form/still-asking';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { proven } from '@gatehouse/ui/session/proven';
import { type ReactElement, useRef, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { t } from '../words.js';

/** Saves a copy of everything that is held of somebody. A broken one goes on where it stopped, as one may begin one an hour. */
export function ExportSheet(): ReactElement {
  const sending = useSending();
  const collected = useRef<CollectedExport>(undefined);
  const [savedAs, setSavedAs] = useState<string>();

  async function collect(signal: AbortSignal): Promise<void> {
    let cursor = collected.current?.nextCursor;
    do {
      const from = cursor === undefined ? {} : { cursor };
      const page = await proven(() => gatehouse.api.member.exportOwn.query(from, { signal }));
      collected.current = withPage(collected.current, page);
      cursor = collected.current.nextCursor;
    } while (cursor !== null);
  }

  return (
    <Sheet title={t('export.title')}>
      <div className="flex flex-col gap-3 p-3">
        {sending.failure === undefined ? null : <FailureNote failure={sending.failure} />}
        {savedAs === undefined ? null : <Banner state="open">{t('export.done', { file: savedAs })}</Banner>}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 flex-1 basis-60">{t('export.lead')}</p>
          <Button
            isBusy={sending.isBusy}
            onClick={() =>
              sending.send(async (signal) => {
                setSavedAs(undefined);
                await collect(signal);
                const name = `my-data-${new Date().toISOString().slice(0, 10)}.json`;
                saveFile(name, JSON.stringify(collected.current?.data, null, 2), 'application/json');
                collected.current = undefined;
                setSavedAs(name);
              })
            }
          >
            {t('export.submit')}
          </Button>
        </div>
        <StillAsking sending={sending} />
      </div>
    </Sheet>
  );
}
