import { FilterSelect } from '@gatehouse/ui/list/filter-select';
import { SearchField } from '@gatehouse/ui/list/search-field';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { MAIL_STATES, readMailFilter } from '../address-filters.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { ChoiceLink, ChoiceLinks } from '../shell/action-links.js';
import { t } from '../words.js';
import { MailList } from './mail-list.js';
import { listMailKinds, mailStateWords } from './mail-row.js';

export const MailScreen = inLanguage(AllMail);

const route = getRouteApi('/frame/mail');

function AllMail(): ReactElement {
  const me = useMe();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const { state: chosen, ...others } = filter;
  const { q, kind } = others;
  if (!mayAnywhere(me, 'member.list')) return <Denied />;
  return (
    <Screen title={t('frame.mail')} lead={t('mail.lead')}>
      <ChoiceLinks label={t('list.status')}>
        <ChoiceLink to="/mail" search={others} isChosen={chosen === undefined}>
          {t('mail.any')}
        </ChoiceLink>
        {MAIL_STATES.map((state) => (
          <ChoiceLink key={state} to="/mail" search={{ state, ...others }} isChosen={chosen === state}>
            {mailStateWords(state)}
          </ChoiceLink>
        ))}
      </ChoiceLinks>
      <search className="grid gap-3 rows:grid-cols-[minmax(0,30rem)_minmax(0,24rem)]">
        <SearchField
          label={t('members.search')}
          text={q ?? ''}
          onLook={(text) =>
            void navigate({ search: (now) => readMailFilter({ ...now, q: text }), replace: true })
          }
        />
        <FilterSelect
          label={t('mail.kind')}
          value={kind ?? ''}
          choices={[{ value: '', label: t('mail.anyKind') }, ...listMailKinds()]}
          onChange={(next) => void navigate({ search: readMailFilter({ ...filter, kind: next }) })}
        />
      </search>
      <MailList
        key={`${chosen} ${kind}`}
        queryKey={['mail', filter]}
        filter={{ search: q, state: chosen, kind }}
        mayRetry={() => me.allAccounts}
      />
    </Screen>
  );
}
