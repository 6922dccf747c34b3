import { CopyButton } from '@gatehouse/ui/parts/copy-button';
import { fullTime } from '@gatehouse/ui/screen/shown-time';
import type { ReactElement } from 'react';
import { roleWords } from '../session/me.js';
import { Fact, Facts } from '../shell/facts.js';
import { type Change, changedFields } from './changed-fields.js';
import type { Entry } from './entry.js';
import { t } from './words.js';

/** What a line changed, in words, and what support looks up elsewhere: its key, its ids, and what has no words. */
export function EntryDetail({ entry }: { readonly entry: Entry }): ReactElement {
  const { at, action, actorId, onBehalfOfId, subjectKind, subjectId, accountId, requestId } = entry;
  const { said, recorded } = changedFields(entry.before, entry.after, roleWords);
  const subject = [subjectKind, subjectId].filter((part) => part !== null).join('/');
  const facts: readonly (readonly [string, string | number | null])[] = [
    [t('audit.key'), action],
    [t('audit.subject'), subject === '' ? null : subject],
    [t('audit.actorId'), actorId],
    [t('audit.onBehalfOfId'), onBehalfOfId],
    [t('audit.accountId'), accountId],
    [t('audit.address'), entry.address],
    [t('audit.request'), requestId],
  ];
  return (
    <div className="grid items-start gap-x-6 bg-card wide:grid-cols-2">
      <Facts>
        <Fact name={t('audit.at')}>{fullTime(at)}</Fact>
        {said.map((change) => (
          <Fact key={change.name} name={change.name}>
            <Values of={change} />
          </Fact>
        ))}
      </Facts>
      <Facts>
        {facts.map(([name, value]) =>
          value === null ? null : (
            <Fact key={name} name={name}>
              <bdi className="font-mono">{value}</bdi>
            </Fact>
          ),
        )}
        {recorded.map((change) => (
          <Fact key={change.name} name={change.name}>
            <span className="font-mono">
              <Values of={change} />
            </span>
          </Fact>
        ))}
        <Fact name="JSON">
          <CopyButton isInText text={JSON.stringify(entry, undefined, 2)} />
        </Fact>
      </Facts>
    </div>
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
