import { Denied } from '@gatehouse/screens/screen/denied';
import { inLanguage } from '@gatehouse/screens/screen/in-language';
import { Screen } from '@gatehouse/screens/screen/screen';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { mayAnywhere, useMe } from '../session/me.js';
import { t } from '../words.js';
import { MAIL_STATES } from './mail-filter.js';
import { MailList } from './mail-list.js';

export const MailScreen = inLanguage(AllMail);

const route = getRouteApi('/frame/mail');

const WORDS = { queued: 'mail.onlyQueued', sent: 'mail.onlySent', failed: 'mail.onlyFailed' } as const;

const CHOICE = 'inline-flex min-h-10 items-center border-b-3 px-3 wide:min-h-8';
const CHOSEN = { className: 'border-harbour font-semibold', 'aria-current': 'page' as const };
const OTHER = { className: 'border-transparent hover:bg-well' };

function AllMail(): ReactElement {
  const me = useMe();
  const filter = route.useSearch();
  if (!mayAnywhere(me, 'member.list')) return <Denied />;
  return (
    <Screen title={t('mail.title')} lead={t('mail.lead')}>
      <nav aria-label={t('mail.states')} className="flex flex-wrap">
        <Link
          to="/mail"
          search={{}}
          activeOptions={{ exact: true, includeSearch: true }}
          className={CHOICE}
          activeProps={CHOSEN}
          inactiveProps={OTHER}
        >
          {t('mail.any')}
        </Link>
        {MAIL_STATES.map((state) => (
          <Link
            key={state}
            to="/mail"
            search={{ state }}
            className={CHOICE}
            activeProps={CHOSEN}
            inactiveProps={OTHER}
          >
            {t(WORDS[state])}
          </Link>
        ))}
      </nav>
      <MailList
        key={filter.state}
        queryKey={['mail', filter]}
        filter={filter}
        mayRetry={() => me.allAccounts}
      />
    </Screen>
  );
}
