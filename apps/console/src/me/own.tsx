import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { NameFields } from '@gatehouse/ui/form/name-fields';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { LANGUAGE_NAMES, LANGUAGES } from '@gatehouse/ui/messages/language';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Notice } from '@gatehouse/ui/parts/notice';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { ThemeCard } from '@gatehouse/ui/screen/theme-card';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { roleName } from '@gatehouse/ui/team/role-name';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { meQuery, roleOf, useMe } from '../session/me.js';
import { t } from '../words.js';
import { FactorsCard, OwnSessionsCard, PasswordCard, useAwaited } from './own-sign-in.js';

/** One's own names, and the language of one's mails. */
export function NamesCard({
  onNotice,
}: {
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const { member } = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState('firstName', 'lastName', 'locale');
  return (
    <Card title={t('own.names')}>
      <div className="max-w-md p-3">
        <Form
          mutation={mutation}
          onSend={async ({ firstName = '', lastName = '', locale }, signal) => {
            onNotice(undefined);
            await gatehouse.api.profile.update.mutate(
              {
                firstName: firstName.trim(),
                lastName: lastName.trim(),
                locale: LANGUAGES.find((each) => each === locale),
              },
              { signal },
            );
            await queries.invalidateQueries({ queryKey: meQuery.queryKey });
            onNotice(t('edit.done'));
          }}
        >
          <NameFields of={member} isOwn />
          <SelectField
            name="locale"
            label={t('own.mails')}
            defaultValue={member.locale}
            choices={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
          />
          <div>
            <Button type="submit" isBusy={mutation.isBusy}>
              {t('edit.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}

/** The accounts granted to a member of staff. */
export function ReachCard(): ReactElement {
  const { allAccounts, grants } = useMe();
  return (
    <Card title={t('grants.title')}>
      {allAccounts ? <p className="p-3">{t('staff.everywhereLead')}</p> : null}
      {!allAccounts && grants.length === 0 ? <p className="p-3 text-quiet">{t('grants.none')}</p> : null}
      <ul className="divide-y divide-line">
        {grants.map(({ accountId, accountName, roleLabel }) => (
          <li key={accountId} className="flex flex-wrap justify-between gap-x-3 p-3 wrap-anywhere">
            <span>
              <bdi className="font-semibold">{accountName}</bdi>{' '}
              <span className="font-mono text-quiet">#{accountId}</span>
            </span>
            <bdi className="text-quiet">{roleName(roleLabel)}</bdi>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export const OwnScreen = inLanguage(Own);

/** The person signed in: their permissions, factors and sessions. */
function Own(): ReactElement {
  const { member, allAccounts, grants } = useMe();
  const awaited = useAwaited();
  const [notice, setNotice] = useState<string>();
  return (
    <Screen
      title={t('own.title')}
      tone={allAccounts || grants.length > 0 ? 'ok' : 'pending'}
      lead={t('own.lead', { name: shownName(member), role: roleOf(member) })}
    >
      <Notice text={notice} onClose={setNotice} />
      <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <OwnSessionsCard onNotice={setNotice} />
          {/* Not shown before the content above has its height. */}
          <div className={awaited.sessions ? 'hidden' : 'contents'}>
            <NamesCard onNotice={setNotice} />
            {member.hasPassword ? <PasswordCard onNotice={setNotice} /> : null}
          </div>
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <FactorsCard />
          <div className={awaited.factors ? 'hidden' : 'contents'}>
            <ReachCard />
            <ThemeCard />
          </div>
        </div>
      </div>
    </Screen>
  );
}
