import type { Failure } from '@gatehouse/ui/call/mutation-state';
import { type CollectedExport, saveFile, withPage } from '@gatehouse/ui/export/export-file';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, StillAsking } from '@gatehouse/ui/form/form';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Card, Columns } from '@gatehouse/ui/parts/card';
import { Notice } from '@gatehouse/ui/parts/notice';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { type ReactElement, useRef, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { useSettings } from '../../../signed-out/settings.js';
import { isReadOnly, useMe } from '../../session/me.js';
import { t } from '../words.js';
import { DeleteDialog } from './delete-dialog.js';

/** Deletes the member. A mailed link can restore them for some weeks. */
export function DeleteCard(): ReactElement {
  const [isAsking, setAsking] = useState(false);
  const { restorableDays } = useSettings();
  return (
    <Card title={t('delete.title')}>
      <div className="flex flex-col items-start gap-5 p-3">
        <p>{t('delete.lead', { days: restorableDays.member })}</p>
        <Button kind="grave" onClick={() => setAsking(true)}>
          {t('delete.open')}
        </Button>
      </div>
      {isAsking ? <DeleteDialog onClose={() => setAsking(false)} /> : null}
    </Card>
  );
}

/** A copy can be downloaded once an hour. A member who has to wait has just downloaded one. */
function sayingWhen(failure: Failure): Failure {
  return failure.waitSeconds === undefined ? failure : { ...failure, message: t('export.wait') };
}

/** Saves a copy of the member's data. A broken download continues where it stopped, because only one an hour can be started. */
export function ExportCard(): ReactElement {
  const mutation = useMutationState();
  const collected = useRef<CollectedExport>(undefined);
  const [savedAs, setSavedAs] = useState<string>();

  async function collect(signal: AbortSignal): Promise<void> {
    let cursor = collected.current?.nextCursor;
    do {
      const from = cursor === undefined ? {} : { cursor };
      const page = await withReauth(() => gatehouse.api.member.exportOwn.query(from, { signal }));
      collected.current = withPage(collected.current, page);
      cursor = collected.current.nextCursor;
    } while (cursor !== null);
  }

  return (
    <Card title={t('export.title')}>
      <div className="flex flex-col gap-3 p-3">
        {mutation.failure === undefined ? null : <FailureNote failure={sayingWhen(mutation.failure)} />}
        <Notice
          text={savedAs === undefined ? undefined : t('export.done', { file: savedAs })}
          onClose={setSavedAs}
        />
        <div className="flex flex-col items-start gap-5">
          <p>{t('export.lead')}</p>
          <Button
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send(async (signal) => {
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
        <StillAsking mutation={mutation} />
      </div>
    </Card>
  );
}

export const DataScreen = inLanguage(Data);

function Data(): ReactElement {
  const me = useMe();
  return (
    <Screen title={t('data.title')} lead={t('data.lead')}>
      {isReadOnly(me) ? (
        <Banner tone="error">{t(me.partner === null ? 'data.notYours' : 'data.partner')}</Banner>
      ) : (
        <Columns>
          <ExportCard />
          {me.isPersonnel ? null : <DeleteCard />}
        </Columns>
      )}
    </Screen>
  );
}
