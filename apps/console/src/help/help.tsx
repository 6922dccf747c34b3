import type { Member } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { askForRows } from '@gatehouse/ui/list/ask-for-rows';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/icons';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { Actions } from '../member/member-actions.js';
import { type MemberPage, statusOf, useMemberPage } from '../member/member-page.js';
import { WhyCard } from '../member/why-card.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { t } from '../words.js';

/** Whether a member can sign in, why not, and the actions that fix it. */
function WhyMember({ memberId }: { readonly memberId: number }): ReactElement {
  const page = useMemberPage(memberId);
  return (
    <QueryView answer={page} isPart>
      {(data) => <Why page={data} />}
    </QueryView>
  );
}

function Why({ page }: { readonly page: MemberPage }): ReactElement {
  const [notice, setNotice] = useState<string>();
  const { title, tone, lead } = statusOf(page);
  return (
    <div className="flex flex-col gap-6">
      <section aria-live="polite" className="flex flex-col gap-1">
        <h2 className="flex items-start gap-3 text-title font-bold wrap-anywhere">
          <span className="pt-1.25">
            <StatusIcon tone={tone} />
          </span>
          {title}
        </h2>
        <p className="text-lead text-quiet wrap-anywhere">{lead}</p>
      </section>
      <div className="flex flex-wrap gap-3">
        <Actions page={page} onNotice={setNotice} />
      </div>
      <Notice text={notice} onClose={setNotice} />
      <WhyCard memberId={page.member.id} places={page.memberships} />
      <p>
        <Link to="/members/$memberId" params={{ memberId: String(page.member.id) }} className={LINK}>
          {t('help.all')}
        </Link>
      </p>
    </div>
  );
}

export const HelpScreen = inLanguage(Help);

const route = getRouteApi('/frame/help');

/** The number of suggestions; more letters narrow them. */
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
    queryFn: ({ signal }) =>
      askForRows((page) => gatehouse.api.member.search.query({ search, limit: FEW, ...page }, { signal })),
  });
  return (
    <QueryView answer={found} isPart>
      {({ data: members, page }) => {
        const meant = meantBy(who, members, page.nextCursor === null);
        return meant === undefined ? <Several members={members} /> : <WhyMember memberId={meant.id} />;
      }}
    </QueryView>
  );
}

/** The intended person: the one with exactly this id, address or username, or the only match. */
function meantBy(who: string, members: readonly Member[], areAll: boolean): Member | undefined {
  const exact = members.find(
    ({ id, email, username }) =>
      `#${id}` === who || [email, username].some((each) => each?.toLowerCase() === who.toLowerCase()),
  );
  return exact ?? (areAll && members.length === 1 ? members[0] : undefined);
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
