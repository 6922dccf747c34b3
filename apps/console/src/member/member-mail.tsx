import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import type { ReactElement } from 'react';
import { MailList } from '../mail/mail-list.js';
import { t } from '../words.js';
import { MemberView, memberKey, useMemberId } from './member-page.js';

export const MemberMailScreen = inLanguage(MemberMail);

function MemberMail(): ReactElement {
  const memberId = useMemberId();
  return (
    <MemberView memberId={memberId} here={t('frame.mail')}>
      {(data) => (
        <Screen title={t('mail.of', { name: shownName(data.member) })} lead={t('mail.lead')}>
          <MailList
            queryKey={[...memberKey(memberId), 'mail']}
            filter={{ memberId }}
            mayRetry={() => data.actions.includes('retryMail')}
          />
        </Screen>
      )}
    </MemberView>
  );
}
