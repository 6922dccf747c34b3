import type { Member } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Asked } from '@gatehouse/ui/screen/asked';
import { Denied } from '@gatehouse/ui/screen/denied';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { shownName } from '../session/shown-name.js';
import { t } from '../words.js';
import { WhyMember } from './why-member.js';

export const HelpScreen = inLanguage(Help);

const route = getRouteApi('/frame/help');
/** So many people are offered; whoever is not among them is looked for by more letters. */
const FEW = 10;

function Help(): ReactElement {
  const { who = '' } = route.useSearch();
  if (!mayAnywhere(useMe(), 'member.list')) return <Denied />;
  return (
    <Screen title={t('help.title')} lead={t('help.lead')}>
      <Who key={who} who={who} />
      {who === '' ? null : <Answer who={who} />}
    </Screen>
  );
}

function Who({ who }: { readonly who: string }): ReactElement {
  const navigate = route.useNavigate();
  const mutation = useMutationState('who');
  return (
    <Form
      mutation={mutation}
      onSend={async ({ who: typed = '' }) => {
        await navigate({ search: { who: typed.trim() } });
      }}
    >
      <TextField
        name="who"
        label={t('help.who')}
        hint={t('help.whoHint')}
        defaultValue={who}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <div>
        <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
          {t('help.look')}
        </Button>
      </div>
    </Form>
  );
}

function Answer({ who }: { readonly who: string }): ReactElement {
  const search = who.replace(/^#/, '');
  const found = useQuery({
    queryKey: ['members', 'help', search],
    queryFn: async ({ signal }) =>
      (await gatehouse.api.member.search.query({ search, limit: FEW }, { signal })).data,
  });
  return (
    <Asked answer={found} isPart>
      {(members) => {
        const meant = meantBy(who, members);
        return meant === undefined ? <Several members={members} /> : <WhyMember memberId={meant.id} />;
      }}
    </Asked>
  );
}

/** Whom somebody means: one who has just this id or address, or the only one who is found. */
function meantBy(who: string, members: readonly Member[]): Member | undefined {
  const exact = members.find(
    ({ id, email }) => `#${id}` === who || email?.toLowerCase() === who.toLowerCase(),
  );
  return exact ?? (members.length === 1 ? members[0] : undefined);
}

function Several({ members }: { readonly members: readonly Member[] }): ReactElement {
  return (
    <Card title={t('help.which')}>
      {members.length === 0 ? <p className="p-3">{t('members.noneMatch')}</p> : null}
      <ul className="divide-y divide-line">
        {members.map((member) => (
          <li key={member.id} className="px-3 py-2 wrap-anywhere">
            <Link
              to="/help"
              search={{ who: `#${member.id}` }}
              className="inline-flex min-h-6 flex-wrap items-center gap-x-2 font-semibold underline decoration-line underline-offset-4 hover:decoration-current"
            >
              <bdi>{shownName(member)}</bdi> <span className="font-mono">#{member.id}</span>
            </Link>{' '}
            <bdi className="text-quiet">{member.email === null ? null : shownAddress(member.email)}</bdi>
          </li>
        ))}
      </ul>
    </Card>
  );
}
