import { Screen } from '@gatehouse/ui/screen/screen';
import type { ReactElement } from 'react';
import { useMe } from '../session/me.js';
import { t } from '../words.js';

/** Shown for what only the member may see and do, but neither staff who act for them nor a partner. */
export function NotYours(): ReactElement {
  const { member, partner } = useMe();
  if (partner !== null) {
    return <Screen title={t('notYours.partnerTitle')} tone="error" lead={t('notYours.partnerLead')} />;
  }
  return (
    <Screen title={t('notYours.title', { name: member.username })} tone="error" lead={t('notYours.lead')} />
  );
}
