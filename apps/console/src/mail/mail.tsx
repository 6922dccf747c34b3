import { FilterSelect } from '@gatehouse/ui/list/filter-select';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { MAIL_STATES, readMailFilter } from '../address-filters.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { ChoiceLink, ChoiceLinks } from '../shell/action-links.js';
import { t } from '../words.js';
import { MailList } from './mail-list.js';
import { listMailKinds } from './mail-row.js';

export const MailScreen = inLanguage(AllMail);

const route = getRouteApi('/frame/mail');

const WORDS = {
  queued: 'list.waiting',
  sent: 'mail.onlySent',
  failed: 'list.failed',
  held: 'mail.onlyHeld',
} as const;

function AllMail(): ReactElement {
  const me = useMe();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const ofKind = filter.kind === undefined ? {} : { kind: filter.kind };
  if (!mayAnywhere(me, 'member.list')) return <Denied />;
  return (
    <Screen title={t('frame.mail')} lead={t('mail.lead')}>
      <ChoiceLinks label={t('list.status')}>
        <ChoiceLink to="/mail" search={ofKind} isChosen={filter.state === undefined}>
          {t('mail.any')}
        </ChoiceLink>
        {MAIL_STATES.map((state) => (
          <ChoiceLink key={state} to="/mail" search={{ state, ...ofKind }} isChosen={filter.state === state}>
            {t(WORDS[state])}
          </ChoiceLink>
        ))}
      </ChoiceLinks>
      <div className="max-w-sm">
        <FilterSelect
          label={t('mail.kind')}
          value={filter.kind ?? ''}
          choices={[{ value: '', label: t('mail.anyKind') }, ...listMailKinds()]}
          onChange={(kind) => void navigate({ search: readMailFilter({ ...filter, kind }) })}
        />
      </div>
      <MailList
        key={`${filter.state} ${filter.kind}`}
        queryKey={['mail', filter]}
        filter={filter}
        mayRetry={() => me.allAccounts}
      />
    </Screen>
  );
}
