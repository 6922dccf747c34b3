import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Asked } from '@gatehouse/ui/screen/asked';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { AddPasskeyDialog } from './add-passkey-dialog.js';
import type { Factors } from './factors.js';
import { Line } from './line.js';
import { PasskeyRow } from './passkey-row.js';
import type { Asking } from './remedy.js';
import type { Done } from './use-done.js';
import { t } from './words.js';

/** As many as the service lets anybody have. */
const MOST = 20;

/** The passkeys of whoever is signed in. */
export function PasskeysCard({
  factors,
  isOnlyAdding,
  asking: { isAsking, isInHeader, ask },
  onDone,
}: {
  readonly factors: Factors;
  /** Whether the session may add a factor and nothing else. */
  readonly isOnlyAdding: boolean;
  readonly asking: Asking;
  readonly onDone: (done: Done) => void;
}): ReactElement {
  const answer = useQuery({
    queryKey: ['you', 'passkeys'],
    queryFn: ({ signal }) => gatehouse.api.passkey.list.query(undefined, { signal }),
  });
  const knowsPasskeys = 'PublicKeyCredential' in globalThis;
  const known = isOnlyAdding ? [] : (answer.data?.list ?? []);
  const mayAdd = knowsPasskeys && known.length < MOST;
  return (
    <Card title={t('passkeys.title')}>
      <Asked answer={answer} isPart>
        {() => (
          <>
            {known.length === 0 ? null : (
              <ul className="divide-y divide-line border-b border-line">
                {known.map((passkey) => (
                  <PasskeyRow key={passkey.id} passkey={passkey} factors={factors} onDone={onDone} />
                ))}
              </ul>
            )}
            <Line
              tone={known.some(({ isUsable }) => isUsable) ? 'ok' : 'pending'}
              title={t('passkeys.count', { count: known.length })}
              {...(mayAdd && !isInHeader
                ? { actions: <Button onClick={() => ask(true)}>{t('passkeys.add')}</Button> }
                : {})}
            >
              <p className="text-quiet">{t(knowsPasskeys ? 'passkeys.lead' : 'passkeys.notHere')}</p>
            </Line>
          </>
        )}
      </Asked>
      {isAsking ? <AddPasskeyDialog factors={factors} onDone={onDone} onClose={() => ask(false)} /> : null}
    </Card>
  );
}
