import { Banner } from '@gatehouse/ui/parts/banner';
import { Denied } from '@gatehouse/ui/screen/denied';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { type ReactElement, useState } from 'react';
import { useIsPrimaryOwner } from '../own-accounts.js';
import { usePlace } from '../place.js';
import { t } from '../words.js';
import { CloseCard } from './close-card.js';
import { NameCard } from './name-card.js';
import { PolicyCard } from './policy-card.js';

export const SettingsScreen = inLanguage(Settings);

function Settings(): ReactElement {
  const { accountId, accountName, maySee, mayDo, roleLabel } = usePlace();
  const isPrimaryOwner = useIsPrimaryOwner(accountId);
  const [notice, setNotice] = useState<string>();
  if (!maySee('account.manage')) return <Denied role={roleLabel} />;
  const lead = t(isPrimaryOwner === true ? 'settings.leadOwner' : 'settings.lead');
  return (
    <Screen title={t('settings.title', { account: accountName })} lead={lead}>
      {notice === undefined ? null : <Banner tone="ok">{notice}</Banner>}
      {mayDo('account.manage') ? <NameCard onNotice={setNotice} /> : null}
      <PolicyCard onNotice={setNotice} />
      {mayDo('account.manage') && isPrimaryOwner === true ? <CloseCard /> : null}
    </Screen>
  );
}
