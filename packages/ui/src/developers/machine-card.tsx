import { type ReactElement, type ReactNode, useState } from 'react';
import { More, RowAction, usePages } from '../list/paged-list.js';
import { Button } from '../parts/button.js';
import { Card } from '../parts/card.js';
import { RowMark, type StatusTone } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { Ago } from '../screen/ago.js';
import { QueryView } from '../screen/asked.js';
import { shownDay, shownTime } from '../screen/shown-time.js';
import { t as ofTeams } from '../team/words.js';
import {
  CreateKeyDialog,
  type MadeKey,
  MadeKeyDialog,
  RevokeKeyDialog,
  RotateKeyDialog,
} from './key-dialogs.js';
import { MachineDialog, RemoveMachineDialog } from './machine-dialogs.js';
import { type Key, type Machine, type MachineRules, usePrograms } from './programs.js';
import { t } from './words.js';

type Asking =
  | { readonly what: 'create' | 'edit' | 'remove' }
  | { readonly what: 'rotate' | 'revoke'; readonly subject: Key };

/** A machine and its keys, with what may be done about them. */
export function MachineCard({
  machine,
  rules,
  onNotice,
}: {
  readonly machine: Machine;
  readonly rules: MachineRules;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { api, key } = usePrograms();
  const { id: machineId, name, createdAt } = machine;
  const keys = usePages<Key>([...key, 'keys', machineId], (page, signal) =>
    api.key.list.query({ ...page, machineId, limit: 200 }, { signal }),
  );
  const [asking, setAsking] = useState<Asking>();
  const [made, setMade] = useState<MadeKey>();
  const [hasEnded, setEnded] = useState(false);
  const close = (): void => setAsking(undefined);
  const onMade = (shown: MadeKey): void => {
    close();
    setMade(shown);
  };
  const mayHaveKeys = rules.needsNoScope || rules.scopesOf(machine).length > 0;
  return (
    <Card
      title={<bdi>{name}</bdi>}
      aside={
        <Menu
          isRow
          label={ofTeams('team.actions', { name })}
          about={name}
          items={[
            { words: t('machine.edit'), onClick: () => setAsking({ what: 'edit' }) },
            { words: t('machine.remove'), isGrave: true, onClick: () => setAsking({ what: 'remove' }) },
          ]}
        />
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line p-3">
        <p className="text-quiet">
          {rules.role === undefined ? null : (
            <>
              <bdi>{rules.role.nameOf(machine)}</bdi>
              {' · '}
            </>
          )}
          {t(rules.role === undefined ? 'machine.sinceAlone' : 'machine.since', { day: shownDay(createdAt) })}
        </p>
        {mayHaveKeys ? (
          <Button isSmall onClick={() => setAsking({ what: 'create' })}>
            {t('key.open')}
            <span className="sr-only"> {name}</span>
          </Button>
        ) : null}
      </div>
      <QueryView answer={keys} isPart>
        {(rows) => {
          const live = rows.filter((each) => !isEnded(each)).reverse();
          const ended = rows.filter(isEnded).reverse();
          return (
            <>
              {live.length === 0 ? <p className="p-3 text-quiet">{t('key.none')}</p> : null}
              <ul className="divide-y divide-line">
                {[...live, ...(hasEnded ? ended : [])].map((each) => (
                  <KeyRow key={each.id} subject={each} onAsk={(what) => setAsking({ what, subject: each })} />
                ))}
              </ul>
              {ended.length === 0 ? null : (
                <p className="border-t border-line px-3 py-1.5">
                  <RowAction about={name} onClick={() => setEnded(!hasEnded)}>
                    {hasEnded ? t('key.hideEnded') : t('key.showEnded', { count: ended.length })}
                  </RowAction>
                </p>
              )}
              <More of={keys} />
            </>
          );
        }}
      </QueryView>
      {asking?.what === 'create' ? (
        <CreateKeyDialog machine={machine} rules={rules} onMade={onMade} onClose={close} />
      ) : null}
      {asking?.what === 'edit' ? (
        <MachineDialog machine={machine} rules={rules} onNotice={onNotice} onClose={close} />
      ) : null}
      {asking?.what === 'remove' ? (
        <RemoveMachineDialog machine={machine} rules={rules} onNotice={onNotice} onClose={close} />
      ) : null}
      {asking?.what === 'rotate' ? (
        <RotateKeyDialog subject={asking.subject} onMade={onMade} onClose={close} />
      ) : null}
      {asking?.what === 'revoke' ? (
        <RevokeKeyDialog subject={asking.subject} onNotice={onNotice} onClose={close} />
      ) : null}
      {made === undefined ? null : <MadeKeyDialog made={made} onClose={() => setMade(undefined)} />}
    </Card>
  );
}

const DAY_MS = 86_400_000;

/** How long before the end of a key the service mails about it. */
const SOON_MS = 14 * DAY_MS;

const isEnded = ({ revokedAt, expiresAt }: Key): boolean =>
  revokedAt !== null || Date.parse(expiresAt) <= Date.now();

/** The state of a key, and until when it is valid. */
function statusOf({ revokedAt, expiresAt, replacedById }: Key): {
  readonly tone: StatusTone;
  readonly words: string;
} {
  if (revokedAt !== null) return { tone: 'error', words: t('key.revoked', { day: shownDay(revokedAt) }) };
  const leftMs = Date.parse(expiresAt) - Date.now();
  if (leftMs <= 0) return { tone: 'error', words: t('key.expired', { day: shownDay(expiresAt) }) };
  if (replacedById !== null)
    return { tone: 'pending', words: t('key.replaced', { time: shownTime(expiresAt) }) };
  return { tone: leftMs < SOON_MS ? 'pending' : 'ok', words: t('key.until', { day: shownDay(expiresAt) }) };
}

function KeyRow({
  subject,
  onAsk,
}: {
  readonly subject: Key;
  readonly onAsk: (what: 'rotate' | 'revoke') => void;
}): ReactElement {
  const { name, start, scopes, addresses, perMinute, createdAt, lastUsedAt, replacedById } = subject;
  const { tone, words } = statusOf(subject);
  const rotate = { words: t('key.rotate'), onClick: () => onAsk('rotate') };
  const revoke = { words: t('key.revoke'), isGrave: true, onClick: () => onAsk('revoke') };
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-3 px-3 py-2.5">
      <span className="pt-0.5">
        <RowMark tone={tone} />
      </span>
      <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <p className="flex flex-wrap gap-x-2.5">
          <bdi className="font-semibold">{name}</bdi>
          <code className="font-mono text-quiet">{start}…</code>
        </p>
        <Scopes of={scopes} about={name} />
        <p className="text-note text-quiet">
          <Facts>
            {words}
            {lastUsedAt === null ? (
              t('key.unused')
            ) : (
              <>
                {t('key.used')} <Ago at={lastUsedAt} />
              </>
            )}
            {t('key.since', { day: shownDay(createdAt) })}
          </Facts>
        </p>
        <p className="text-note text-quiet">
          <Facts>
            {t('key.limit', { count: perMinute })}
            {addresses.length === 0
              ? t('key.anywhere')
              : t('key.only', { addresses: addresses.map(shownNetwork).join(', ') })}
          </Facts>
        </p>
      </div>
      {isEnded(subject) ? null : (
        <Menu
          isRow
          label={ofTeams('team.actions', { name })}
          about={name}
          items={[...(replacedById === null ? [rotate] : []), revoke]}
        />
      )}
    </li>
  );
}

/** A network as people write it: a single address without the prefix length that the service adds. */
const shownNetwork = (network: string): string =>
  network.replace(network.includes(':') ? /\/128$/ : /\/32$/, '');

/** Facts in one line, which breaks between them. */
function Facts({ children }: { readonly children: readonly ReactNode[] }): ReactElement {
  return (
    <>
      {children.map((each, at) => (
        // Their order never changes.
        <span key={at}>
          {each}
          {at === children.length - 1 ? null : ' · '}
        </span>
      ))}
    </>
  );
}

const SHOWN_SCOPES = 4;

/** The scopes of a key: all of them, or the first ones and the number of the others. */
function Scopes({ of, about }: { readonly of: readonly string[]; readonly about: string }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  if (of.length === 0) return <p className="text-note text-quiet">{t('key.noScopes')}</p>;
  const left = of.length - SHOWN_SCOPES;
  // Naming one more takes no more space than saying that there is one more.
  const isShort = left <= 1;
  return (
    <p>
      <code className="font-mono text-note">
        {(isOpen || isShort ? of : of.slice(0, SHOWN_SCOPES)).join(', ')}
      </code>{' '}
      {isShort ? null : (
        <RowAction about={about} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('key.fewerScopes') : t('key.moreScopes', { count: left })}
        </RowAction>
      )}
    </p>
  );
}
