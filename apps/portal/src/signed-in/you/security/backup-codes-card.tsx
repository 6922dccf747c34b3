import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Dialog } from '@gatehouse/ui/parts/dialog';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { type ReactElement, useEffect, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { useSettings } from '../../../signed-out/settings.js';
import { Line } from './security-parts.js';
import type { Asking } from './security-status.js';
import { type Done, type Factors, FEW_CODES, hasStronger, useRefresh } from './security-status.js';
import { t } from './words.js';

/** How many backup codes are left, and ten new ones. */
export function BackupCodesCard({
  factors,
  asking: { isAsking, isInHeader, ask },
  onDone,
}: {
  readonly factors: Factors;
  readonly asking: Asking;
  readonly onDone: (done: Done) => void;
}): ReactElement {
  const refresh = useRefresh();
  const mutation = useMutationState();
  const count = factors.backupCodesLeft;
  const mayMake = factors.secondFactor || hasStronger(factors);
  return (
    <Card title={t('codes.title')}>
      <Line
        tone={count > FEW_CODES ? 'ok' : 'pending'}
        title={t('codes.left', { count })}
        {...(mayMake && !isInHeader
          ? { actions: <Button onClick={() => ask(true)}>{t('codes.make')}</Button> }
          : {})}
      >
        <p className="text-quiet">{t(mayMake ? 'codes.lead' : 'codes.later')}</p>
      </Line>
      {isAsking ? (
        <Confirm
          title={t('codes.question')}
          effect={t('codes.effect')}
          action={t('codes.submit')}
          mutation={mutation}
          onConfirm={async (_fields, signal) => {
            const { data } = await withReauth(() =>
              gatehouse.api.factor.newBackupCodes.mutate({}, { signal }),
            );
            await refresh();
            ask(false);
            onDone({ notice: t('codes.done'), backupCodes: data.backupCodes });
          }}
          onClose={() => ask(false)}
        />
      ) : null}
    </Card>
  );
}

const SHAPE =
  'inline-flex min-h-10 items-center justify-center rounded-small border border-edge bg-card px-4 py-2 font-semibold hover:bg-well';

/** Shows backup codes, this once. It closes only by saying that they are kept. */
export function BackupCodesDialog({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}): ReactElement {
  const [copied, setCopied] = useState<boolean>();
  const text = `${codes.join('\n')}\n`;
  const file = useFile(text);
  const { brand } = useSettings();
  return (
    <Dialog title={t('once.title')}>
      <p className="text-lead text-quiet">{t('once.lead')}</p>
      <ol
        className="grid grid-cols-1 gap-x-6 gap-y-1 bg-well p-3 font-mono text-lead rows:grid-cols-2"
        translate="no"
      >
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        <Button
          onClick={() =>
            void copy(text).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }
        >
          {t('once.copy')}
        </Button>
        {file === undefined ? null : (
          <a href={file} download={`${brand.name} ${t('once.file')}.txt`} className={SHAPE}>
            {t('once.download')}
          </a>
        )}
      </div>
      {copied === undefined ? null : (
        <Banner tone={copied ? 'ok' : 'error'}>{t(copied ? 'once.copied' : 'once.notCopied')}</Banner>
      )}
      <Button kind="primary" isWide onClick={onClose}>
        {t('once.kept')}
      </Button>
    </Dialog>
  );
}

/** @throws where the browser or its user does not let a page copy */
async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

/** The address of a text file that this page has made. */
function useFile(text: string): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return url;
}
