import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import type { ReactElement } from 'react';
import { MailList } from '../mail/mail-list.js';
import { t } from '../words.js';
import { memberKey, Path, useMemberId, useMemberPage } from './member-page.js';

export const MemberMailScreen = inLanguage(MemberMail);

function MemberMail(): ReactElement {
  const memberId = useMemberId();
  const page = useMemberPage(memberId);
  return (
    <QueryView answer={page} title={t('mail.title')} trail={<Path id={memberId} here={t('mail.title')} />}>
      {(data) => (
        <div className="flex flex-col gap-4">
          <Path id={memberId} name={shownName(data.member)} here={t('mail.title')} />
          <Screen title={t('mail.of', { name: shownName(data.member) })} lead={t('mail.lead')}>
            <MailList
              queryKey={[...memberKey(memberId), 'mail']}
              filter={{ memberId }}
              mayRetry={() => data.actions.includes('retryMail')}
            />
          </Screen>
        </div>
      )}
    </QueryView>
  );
}
