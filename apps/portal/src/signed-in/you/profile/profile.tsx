import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { SaveButton } from '@gatehouse/ui/form/save-button';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { LANGUAGE_NAMES, LANGUAGES, rememberLanguage, showLanguage } from '@gatehouse/ui/messages/language';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { Card } from '@gatehouse/ui/parts/card';
import { Notice } from '@gatehouse/ui/parts/notice';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { ThemeCard } from '@gatehouse/ui/screen/theme-card';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { isReadOnly, type Me, meQuery, useMe } from '../../session/me.js';
import { MESSAGES } from '../../words.js';
import { t } from '../words.js';
import { EmailCard } from './email-card.js';
import { NameCard } from './name-card.js';

/** The profile, read-only. */
export function FactsCard(): ReactElement {
  const { member } = useMe();
  const facts = [
    [t('profile.name'), shownName(member)],
    [t('profile.username'), member.username],
    [t('profile.email'), member.email ?? t('profile.noEmail')],
  ] as const;
  return (
    <Card title={t('profile.facts')}>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-2 p-3">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

const LOCALES = ['en', 'de'] as const;

/** The language of the pages in this browser, and that of the member's mails. */
export function LanguageCard({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const { member } = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState('locale');
  return (
    <Card title={t('language.title')}>
      <div className="p-3">
        <Form
          mutation={mutation}
          onSend={async (fields, signal) => {
            const locale = LOCALES.find((each) => each === fields['locale']) ?? member.locale;
            const { data } = await gatehouse.api.profile.update.mutate({ locale }, { signal });
            await queries.invalidateQueries({ queryKey: meQuery.queryKey });
            const pages = LANGUAGES.find((each) => each === fields['pages']);
            if (pages !== undefined) {
              rememberLanguage(pages);
              await showLanguage(pages, MESSAGES);
            }
            const names = new Intl.DisplayNames(catalogue.locale, { type: 'language' });
            onNotice(t('language.done', { language: names.of(data.locale) ?? data.locale }));
          }}
        >
          <div className="grid items-start gap-5 rows:grid-cols-2">
            <SelectField
              key={catalogue.locale}
              name="pages"
              label={t('language.pages')}
              choices={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
              defaultValue={LANGUAGES.find((each) => each === catalogue.locale) ?? 'en'}
            />
            <SelectField
              name="locale"
              label={t('language.field')}
              choices={LOCALES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
              defaultValue={member.locale}
            />
          </div>
          <SaveButton about={t('language.title')} isBusy={mutation.isBusy} />
        </Form>
      </div>
    </Card>
  );
}

export const ProfileScreen = inLanguage(Profile);

function Profile(): ReactElement {
  const me = useMe();
  const { member } = me;
  const [notice, setNotice] = useState<string>();
  const lead = leadOf(member);
  return (
    <Screen title={t('profile.title')} lead={lead === undefined ? undefined : t(lead)}>
      <Notice text={notice} onClose={setNotice} />
      {isReadOnly(me) ? (
        <FactsCard />
      ) : (
        <>
          <NameCard onNotice={setNotice} />
          <EmailCard onNotice={setNotice} />
          <LanguageCard onNotice={setNotice} />
        </>
      )}
      <ThemeCard />
    </Screen>
  );
}

/** What is left to do for the address; undefined if nothing. */
function leadOf({ email, pendingEmail, emailVerified }: Me['member']) {
  if (pendingEmail !== null) return 'profile.leadPending';
  if (email === null) return 'profile.leadNoEmail';
  return emailVerified ? undefined : 'profile.leadUnconfirmed';
}
