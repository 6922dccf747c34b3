import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { roleName } from '@gatehouse/ui/team/role-name';
import { type ReactElement, useState } from 'react';
import { usePlace } from '../account-place.js';
import { DomainsCard } from './domains-card.js';
import { ProvisioningCard, RequestsCard } from './provisioning-card.js';
import { t } from './words.js';

export const EnterpriseScreen = inLanguage(Enterprise);

/** The domains of the company behind an account, and its directory. */
function Enterprise(): ReactElement {
  const { mayDo, roleLabel } = usePlace();
  const [notice, setNotice] = useState<string>();
  if (!mayDo('sso.manage')) return <Denied role={roleName(roleLabel)} />;
  return (
    <Screen title={t('enterprise.title')} lead={t('enterprise.lead')}>
      <Notice text={notice} onClose={setNotice} />
      <DomainsCard onNotice={setNotice} />
      <ProvisioningCard onNotice={setNotice} />
      <RequestsCard />
    </Screen>
  );
}
