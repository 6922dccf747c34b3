import type { AdminInputs, AdminOutputs } from '@gatehouse/client-sdk/admin';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Card } from '@gatehouse/ui/parts/card';
import { At } from '@gatehouse/ui/screen/ago';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { roleWords } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { actionWords } from './actions/action-words.js';
import { type Change, changedFields } from './changed-fields.js';
import { t } from './words.js';

type Entry = AdminOutputs['audit']['list']['data'][number];

/** Lines of the audit log, newest first. */
export function AuditList({ asked }: { readonly asked: AdminInputs['audit']['list'] }): ReactElement {
  const list = usePages<Entry>(
    ['audit', asked],
    (page, signal) => gatehouse.api.audit.list.query({ ...asked, ...page }, { signal }),
    { keepsPrevious: true },
  );
  return (
    <Card title={t('audit.sheet')}>
      <QueryView answer={list} isPart>
        {(entries) => (
          <div aria-busy={list.isPlaceholderData}>
            {entries.length === 0 ? (
              <p role="status" className="p-3 text-quiet">
                {t(asked?.requestId === undefined ? 'audit.none' : 'audit.noneOfRequest')}
              </p>
            ) : null}
            <ul className="divide-y divide-line">
              {entries.map((entry) => (
                <Row key={entry.id} entry={entry} />
              ))}
            </ul>
            <More of={list} />
          </div>
        )}
      </QueryView>
    </Card>
  );
}

function Row({ entry }: { readonly entry: Entry }): ReactElement {
  const { at, action, actorId, actorName, address, before, after } = entry;
  const about = personOf(entry);
  const place = placeOf(entry);
  const { said, recorded } = changedFields(before, after, roleWords);
  const words = actionWords(action);
  return (
    <li className="grid gap-x-3 gap-y-1 p-3 rows:grid-cols-[10rem_minmax(0,1fr)]">
      <p className="text-quiet">
        <At at={at} />
      </p>
      <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <p className="font-semibold">{words ?? <bdi className="font-mono">{action}</bdi>}</p>
        <p className="text-quiet">
          {actorId === null ? (
            t('audit.operator')
          ) : (
            <Person id={actorId} name={actorName} words={t('audit.by')} />
          )}
          {about === undefined ? null : (
            <>
              <span aria-hidden> → </span>
              <Person id={about.id} name={about.name} words={t('audit.for')} />
            </>
          )}
          {place === undefined ? null : (
            <>
              {' · '}
              <Link to="/accounts/$accountId" params={{ accountId: String(place.id) }} className={LINK}>
                <bdi>{place.name ?? `#${place.id}`}</bdi>
              </Link>
            </>
          )}
          {address === null ? null : (
            <>
              {' · '}
              <span className="sr-only">{t('audit.from')} </span>
              <bdi className="font-mono">{address}</bdi>
            </>
          )}
        </p>
        {said.length === 0 ? null : (
          <ul className="text-note">
            {said.map((change) => (
              <li key={change.name}>
                <span className="text-quiet">{change.name}:</span> <Values of={change} />
              </li>
            ))}
          </ul>
        )}
        <Details entry={entry} about={words ?? action} recorded={recorded} />
      </div>
    </li>
  );
}

/** What a field was and became, of which one may be unknown. */
function Values({ of: { from, to } }: { readonly of: Change }): ReactElement {
  if (to === undefined) return <bdi className="line-through">{from}</bdi>;
  if (from === undefined) return <bdi>{to}</bdi>;
  return (
    <>
      <bdi>{from}</bdi> → <bdi>{to}</bdi>
    </>
  );
}

/** What support looks up elsewhere: the line's key, its ids, and what has no words. */
function Details({
  entry: { action, actorId, onBehalfOfId, subjectKind, subjectId, accountId, requestId },
  about,
  recorded,
}: {
  readonly entry: Entry;
  readonly about: string;
  readonly recorded: readonly Change[];
}): ReactElement {
  const subject = [subjectKind, subjectId].filter((part) => part !== null).join('/');
  const facts: readonly (readonly [string, string | number | null])[] = [
    [t('audit.key'), action],
    [t('audit.subject'), subject],
    [t('audit.actorId'), actorId],
    [t('audit.onBehalfOfId'), onBehalfOfId],
    [t('audit.accountId'), accountId],
    [t('audit.request'), requestId],
  ];
  return (
    <details className="text-note text-quiet">
      <summary className="flex min-h-6 w-fit cursor-pointer items-center underline underline-offset-3">
        {t('audit.details')}
        <span className="sr-only"> {about}</span>
      </summary>
      <ul>
        {facts.map(([name, value]) =>
          value === null || value === '' ? null : (
            <li key={name}>
              {name}: <bdi className="font-mono">{value}</bdi>
            </li>
          ),
        )}
        {recorded.map((change) => (
          <li key={change.name} className="font-mono">
            <bdi>{change.name}</bdi>: <Values of={change} />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface Named {
  readonly id: number;
  readonly name: string | null;
}

/** The member that a line is about, if another did it. */
function personOf({
  actorId,
  onBehalfOfId,
  onBehalfOfName,
  subjectKind,
  subjectId,
  subjectName,
}: Entry): Named | undefined {
  const about =
    subjectKind === 'member' && subjectId !== null
      ? { id: Number(subjectId), name: subjectName }
      : { id: onBehalfOfId, name: onBehalfOfName };
  const { id, name } = about;
  return id === null || id === actorId ? undefined : { id, name };
}

/** The organization that a line is about, or in which something was done. */
function placeOf({ accountId, accountName, subjectKind, subjectId, subjectName }: Entry): Named | undefined {
  if (subjectKind === 'account' && subjectId !== null) return { id: Number(subjectId), name: subjectName };
  return accountId === null ? undefined : { id: accountId, name: accountName };
}

/** A member by name; by the id where the data is erased. */
function Person({ id, name, words }: Named & { readonly words: string }): ReactElement {
  return (
    <span>
      <span className="sr-only">{words} </span>
      <Link to="/members/$memberId" params={{ memberId: String(id) }} className={LINK}>
        <bdi>{name ?? `#${id}`}</bdi>
      </Link>
    </span>
  );
}
