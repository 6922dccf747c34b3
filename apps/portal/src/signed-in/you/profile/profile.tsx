import { Banner } from '@gatehouse/ui/parts/banner';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { type ReactElement, useState } from 'react';
import { isReadOnly, type Me, useMe } from '../../session/me.js';
import { shownName } from '../../session/shown-name.js';
import { t } from '../words.js';
import { EmailCard } from './email-card.js';
import { FactsCard } from './facts-card.js';
import { LanguageCard } from './language-card.js';
import { NameCard } from './name-card.js';

export const ProfileScreen = inLanguage(Profile);

function Profile(): ReactElement {
  const me = useMe();
  const { member } = me;
  const [notice, setNotice] = useState<string>();
  const isSettled = member.emailVerified && member.pendingEmail === null;
  return (
    <Screen
      title={t('profile.title', { name: shownName(member) })}
      tone={isSettled ? 'ok' : 'pending'}
      lead={t(leadOf(member))}
    >
      {notice === undefined ? null : <Banner tone="ok">{notice}</Banner>}
      {isReadOnly(me) ? (
        <FactsCard />
      ) : (
        <>
          <NameCard onNotice={setNotice} />
          <EmailCard onNotice={setNotice} />
          <LanguageCard onNotice={setNotice} />
        </>
      )}
    </Screen>
  );
}

function leadOf({ email, pendingEmail, emailVerified }: Me['member']) {
  if (pendingEmail !== null) return 'profile.leadPending';
  if (email === null) return 'profile.leadNoEmail';
  return emailVerified ? 'profile.lead' : 'profile.leadUnconfirmed';
}
