import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { roleName } from '@gatehouse/ui/team/role-name';
import { type ReactElement, useState } from 'react';
import { takeKept } from '../../../tab-storage.js';
import { usePlace } from '../account-place.js';
import { ConnectionsCard } from './connections-card.js';
import { DomainsCard } from './domains-card.js';
import { ProvisioningCard, RequestsCard } from './provisioning-card.js';
import { RequireCard } from './require-card.js';
import { t } from './words.js';

export const EnterpriseScreen = inLanguage(Enterprise);

/** The domains of the company behind an account, and its directory. */
function Enterprise(): ReactElement {
  const { mayDo, roleLabel } = usePlace();
  const [notice, setNotice] = useState(() => takeKept('notice'));
  if (!mayDo('sso.manage')) return <Denied role={roleName(roleLabel)} />;
  return (
    <Screen title={t('enterprise.title')} lead={t('enterprise.lead')}>
      <Notice text={notice} onClose={setNotice} />
      <DomainsCard onNotice={setNotice} />
      <ConnectionsCard />
      <RequireCard onNotice={setNotice} />
      <ProvisioningCard onNotice={setNotice} />
      <RequestsCard />
    </Screen>
  );
}
