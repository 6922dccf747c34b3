import { isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
import { makeSecret, ShownOnce } from '@gatehouse/ui/developers/shown-once';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { TextField } from '@gatehouse/ui/form/text-field';
import { More, RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { RowMark, type StatusTone } from '@gatehouse/ui/parts/icons';
import { At } from '@gatehouse/ui/screen/ago';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { usePlace } from '../account-place.js';
import { CopiedText } from './copied-text.js';
import { t } from './words.js';

type Token = MainOutputs['scim']['listTokens']['data'][number];

const MAX_LIVE = 2;

const MAX_NAME_LENGTH = 80;

/** The portal is at the address of the service. */
const scimUrl = (): string => `${window.location.origin}/scim/v2`;

const isLive = ({ revokedAt, expiresAt }: Token): boolean =>
  revokedAt === null && Date.parse(expiresAt) > Date.now();

interface Dialogs {
  readonly onClose: () => void;
}

/** The tokens with which the company's directory provisions the members of the account. */
export function ProvisioningCard({
  onNotice,
}: {
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { api, key } = usePlace();
  const tokens = usePages<Token>([...key, 'scim', 'tokens'], (page, signal) =>
    api.scim.listTokens.query(page, { signal }),
  );
  const [asked, setAsked] = useState<'add' | Token>();
  const [made, setMade] = useState<{ name: string; token: string }>();
  const close = (): void => setAsked(undefined);
  const isFull = (tokens.data ?? []).filter(isLive).length >= MAX_LIVE;
  return (
    <Card
      title={t('token.title')}
      aside={
        tokens.data === undefined || isFull ? undefined : (
          <Button isSmall onClick={() => setAsked('add')}>
            {t('token.add')}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-5 p-3">
        <p className="text-quiet">{t('token.lead')}</p>
        <CopiedText label={t('token.address')} copy={t('token.copyAddress')} text={scimUrl()} />
      </div>
      <QueryView answer={tokens} isPart>
        {(rows) => (
          <>
            {rows.length === 0 ? (
              <p className="border-t border-line p-3 text-quiet">{t('token.none')}</p>
            ) : (
              <ul className="divide-y divide-line border-t border-line">
                {rows.map((token) => (
                  <TokenRow key={token.id} token={token} onRemove={() => setAsked(token)} />
                ))}
              </ul>
            )}
            <More of={tokens} />
          </>
        )}
      </QueryView>
      {asked === 'add' ? (
        <AddDialog
          onMade={(shown) => {
            close();
            setMade(shown);
          }}
          onClose={close}
        />
      ) : null}
      {asked === undefined || asked === 'add' ? null : (
        <RemoveDialog token={asked} onNotice={onNotice} onClose={close} />
      )}
      {made === undefined ? null : (
        <ShownOnce
          title={t('token.titleMade', { name: made.name })}
          lead={t('token.kept')}
          secret={made.token}
          onClose={() => setMade(undefined)}
        />
      )}
    </Card>
  );
}

const DAY_MS = 86_400_000;

/** How long before a token expires the service sends a mail. */
const SOON_MS = 14 * DAY_MS;

function statusOf({ revokedAt, expiresAt }: Token): { tone: StatusTone; words: string } {
  if (revokedAt !== null) return { tone: 'error', words: t('token.revoked', { day: shownDay(revokedAt) }) };
  const leftMs = Date.parse(expiresAt) - Date.now();
  if (leftMs <= 0) return { tone: 'error', words: t('token.ended', { day: shownDay(expiresAt) }) };
  return {
    tone: leftMs < SOON_MS ? 'pending' : 'ok',
    words: t('token.expires', { day: shownDay(expiresAt) }),
  };
}

function TokenRow({
  token,
  onRemove,
}: {
  readonly token: Token;
  readonly onRemove: () => void;
}): ReactElement {
  const { name, lastFour, createdAt } = token;
  const { tone, words } = statusOf(token);
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-3 px-3 py-2.5">
      <span className="pt-0.5">
        <RowMark tone={tone} />
      </span>
      <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <p className="flex flex-wrap gap-x-2.5">
          <bdi className="font-semibold">{name}</bdi>
          <code className="font-mono text-quiet">gths_…{lastFour}</code>
        </p>
        <p className="text-note text-quiet">
          {words} · {t('token.created', { day: shownDay(createdAt) })}
        </p>
      </div>
      {isLive(token) ? (
        <RowAction about={name} isGrave onClick={onRemove}>
          {t('token.remove')}
        </RowAction>
      ) : null}
    </li>
  );
}

function AddDialog({
  onMade,
  onClose,
}: Dialogs & { readonly onMade: (made: { name: string; token: string }) => void }): ReactElement {
  const { api, key } = usePlace();
  const queries = useQueryClient();
  const mutation = useMutationState('name');
  return (
    <Confirm
      title={t('token.add')}
      effect={t('token.effect', { url: scimUrl() })}
      action={t('token.add')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const wanted = { name: (fields['name'] ?? '').trim() };
        const made = await makeSecret(mutation, t('token.unsure'), () =>
          withReauth(() => api.scim.addToken.mutate(wanted, { signal })),
        );
        if (made !== undefined) onMade({ name: made.data.name, token: made.token });
        await queries.invalidateQueries({ queryKey: [...key, 'scim'] });
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('token.field')}
        hint={t('token.fieldHint')}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        required
      />
    </Confirm>
  );
}

function RemoveDialog({
  token: { id: tokenId, name },
  onNotice,
  onClose,
}: Dialogs & { readonly token: Token; readonly onNotice: (notice: string) => void }): ReactElement {
  const { api, key } = usePlace();
  const queries = useQueryClient();
  const mutation = useMutationState();
  const once = useOnce();
  return (
    <Confirm
      title={t('token.removeTitle', { name })}
      effect={t('token.removeEffect')}
      action={t('token.removeSubmit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await withReauth(() => api.scim.removeToken.mutate({ tokenId }, { signal }));
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey: [...key, 'scim'] });
        onNotice(t('token.removed', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** The directory's recent requests, including refused ones. */
export function RequestsCard(): ReactElement {
  const { api, key } = usePlace();
  const requests = usePages([...key, 'scim', 'log'], (page, signal) => api.scim.log.query(page, { signal }));
  return (
    <Card title={t('log.title')}>
      <QueryView answer={requests} isPart>
        {(rows) => (
          <>
            {rows.length === 0 ? <p className="p-3 text-quiet">{t('log.empty')}</p> : null}
            <ul className="divide-y divide-line">
              {rows.map(({ id, at, method, path, status, error }) => (
                <li key={id} className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 px-3 py-2.5">
                  <span className="pt-0.5">
                    <RowMark tone={status < 400 ? 'ok' : 'error'} />
                  </span>
                  <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
                    <p className="font-mono" translate="no">
                      {method} {path}
                    </p>
                    <p className="text-note text-quiet">
                      {status} · <At at={at} />
                    </p>
                    {error === null ? null : <p lang="en">{error}</p>}
                  </div>
                </li>
              ))}
            </ul>
            <More of={requests} />
          </>
        )}
      </QueryView>
    </Card>
  );
}
