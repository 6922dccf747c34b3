import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { type ReactElement, useState } from 'react';
import { t } from '../words.js';
import { DeleteDialog } from './delete-dialog.js';

/** Deletes oneself. A mailed link brings one back for some weeks. */
export function DeleteCard(): ReactElement {
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title={t('delete.title')}>
      <div className="flex flex-wrap items-center justify-between gap-3 p-3">
        <p className="min-w-0 flex-1 basis-60">{t('delete.lead')}</p>
        <Button kind="grave" onClick={() => setAsking(true)}>
          {t('delete.open')}
        </Button>
      </div>
      {isAsking ? <DeleteDialog onClose={() => setAsking(false)} /> : null}
    </Card>
  );
}
