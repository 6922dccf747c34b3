import { Banner } from '@gatehouse/ui/parts/banner';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import type { ReactElement } from 'react';
import { isReadOnly, useMe } from '../../session/me.js';
import { t } from '../words.js';
import { DeleteCard } from './delete-card.js';
import { ExportCard } from './export-card.js';

export const DataScreen = inLanguage(Data);

function Data(): ReactElement {
  const me = useMe();
  return (
    <Screen title={t('data.title')} lead={t('data.lead')}>
      {isReadOnly(me) ? (
        <Banner tone="error">{t(me.partner === null ? 'data.notYours' : 'data.partner')}</Banner>
      ) : (
        <>
          <ExportCard />
          {me.isPersonnel ? null : <DeleteCard />}
        </>
      )}
    </Screen>
  );
}
