import { isGatehouseError } from '@gatehouse/client-sdk';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { RowMark } from '@gatehouse/ui/parts/icons';
import { Menu } from '@gatehouse/ui/parts/menu';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { usePlace } from '../account-place.js';
import { CopiedText } from './copied-text.js';
import { type Sso, useSso, useSsoKey } from './sso-data.js';
import { t } from './words.js';

type Domain = Sso['domains'][number];

const MAX_DOMAINS = 20;

interface Dialogs {
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}

/** The domains of the account, each with its state and what may be done about it. */
export function DomainsCard({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const answer = useSso();
  const [asked, setAsked] = useState<{ what: 'add' | 'record' | 'remove'; domain?: Domain }>();
  const dialogs = { onNotice, onClose: () => setAsked(undefined) };
  const domains = answer.data?.data.domains ?? [];
  return (
    <Card
      title={t('domain.title')}
      aside={
        answer.data === undefined || domains.length >= MAX_DOMAINS ? undefined : (
          <Button isSmall onClick={() => setAsked({ what: 'add' })}>
            {t('domain.add')}
          </Button>
        )
      }
    >
      <QueryView answer={answer} isPart>
        {() => (
          <>
            <p className="p-3 text-quiet">{t('domain.lead')}</p>
            {domains.length === 0 ? (
              <p className="border-t border-line p-3 text-quiet">{t('domain.none')}</p>
            ) : (
              <ul className="divide-y divide-line border-t border-line">
                {domains.map((domain) => (
                  <li
                    key={domain.id}
                    className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-3 px-3 py-2.5"
                  >
                    <span className="pt-0.5">
                      <RowMark tone={TONES[domain.state]} />
                    </span>
                    <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
                      <bdi className="font-semibold">{domain.domain}</bdi>
                      <p className="text-note text-quiet">{stateOf(domain)}</p>
                    </div>
                    <Menu
                      isRow
                      label={ofTeams('team.actions', { name: domain.domain })}
                      about={domain.domain}
                      items={[
                        { words: t('domain.record'), onClick: () => setAsked({ what: 'record', domain }) },
                        {
                          words: t('domain.remove'),
                          isGrave: true,
                          onClick: () => setAsked({ what: 'remove', domain }),
                        },
                      ]}
                    />
                  </li>
                ))}
              </ul>
            )}
            {asked?.what === 'add' ? (
              <AddDialog {...dialogs} onAdded={(domain) => setAsked({ what: 'record', domain })} />
            ) : null}
            {asked?.what === 'record' && asked.domain ? (
              <RecordDialog domain={asked.domain} {...dialogs} />
            ) : null}
            {asked?.what === 'remove' && asked.domain ? (
              <RemoveDialog domain={asked.domain} {...dialogs} />
            ) : null}
          </>
        )}
      </QueryView>
    </Card>
  );
}

const TONES = { verified: 'ok', pending: 'pending', lapsed: 'error' } as const;

function stateOf({ state, verifiedAt }: Domain): string {
  if (state === 'verified' && verifiedAt !== null) return t('domain.verified', { day: shownDay(verifiedAt) });
  return t(state === 'lapsed' ? 'domain.lapsed' : 'domain.pending');
}

function AddDialog({
  onAdded,
  onClose,
}: Dialogs & { readonly onAdded: (domain: Domain) => void }): ReactElement {
  const { api } = usePlace();
  const queryKey = useSsoKey();
  const queries = useQueryClient();
  const mutation = useMutationState('domain');
  return (
    <Confirm
      title={t('domain.add')}
      effect={t('domain.effect')}
      action={t('domain.add')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ domain = '' }, signal) => {
        const wanted = { domain: domain.trim() };
        const { data } = await withReauth(() => api.sso.addDomain.mutate(wanted, { signal }));
        await queries.invalidateQueries({ queryKey });
        onAdded(data);
      }}
      onClose={onClose}
    >
      <TextField
        name="domain"
        label={t('domain.field')}
        hint={t('domain.fieldHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        required
      />
    </Confirm>
  );
}

/** The record to copy, and whether it is found. */
function RecordDialog({
  domain: { id: domainId, domain, record },
  onNotice,
  onClose,
}: Dialogs & { readonly domain: Domain }): ReactElement {
  const { api } = usePlace();
  const queryKey = useSsoKey();
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('domain.recordTitle', { domain })}
      effect={t('domain.recordEffect')}
      action={t('domain.check')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const { data } = await withReauth(() => api.sso.verifyDomain.mutate({ domainId }, { signal }));
        await queries.invalidateQueries({ queryKey });
        if (data.verified) {
          onNotice(t('domain.checked', { domain }));
          onClose();
          return;
        }
        const found = data.found.length === 0 ? '' : t('domain.found', { records: data.found.join(', ') });
        mutation.fail({ message: `${t('domain.missing')} ${found}`.trim(), issues: [], mayRetry: false });
      }}
      onClose={onClose}
    >
      <CopiedText label={t('domain.name')} copy={t('domain.copyName')} text={record.name} />
      <CopiedText label={t('domain.value')} copy={t('domain.copyValue')} text={record.value} />
    </Confirm>
  );
}

function RemoveDialog({
  domain: { id: domainId, domain, state },
  onNotice,
  onClose,
}: Dialogs & { readonly domain: Domain }): ReactElement {
  const { api } = usePlace();
  const sso = useSso().data?.data;
  const queryKey = useSsoKey();
  const queries = useQueryClient();
  const mutation = useMutationState();
  const once = useOnce();
  return (
    <Confirm
      title={t('domain.removeTitle', { domain })}
      effect={
        <>
          <p>{t('domain.removeEffect')}</p>
          {sso?.required === true && state === 'verified' ? (
            <p className="pt-3 font-semibold">{t('domain.removeRequired')}</p>
          ) : null}
        </>
      }
      action={t('domain.removeSubmit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await withReauth(() => api.sso.removeDomain.mutate({ domainId }, { signal }));
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey });
        onNotice(t('domain.removed', { domain }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
