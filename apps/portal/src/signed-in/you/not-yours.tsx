import { Screen } from '@gatehouse/screens/screen/screen';
import type { ReactElement } from 'react';
import { useMe } from '../session/me.js';
import { t } from './words.js';

/** For what nobody sees or does in the place of a member, whoever acts for them. */
export function NotYours(): ReactElement {
  const { member } = useMe();
  return (
    <Screen title={t('notYours.title', { name: member.username })} state="shut" lead={t('notYours.lead')} />
  );
}
