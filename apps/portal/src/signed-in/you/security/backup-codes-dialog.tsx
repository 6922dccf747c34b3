import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Dialog } from '@gatehouse/ui/parts/dialog';
import { type ReactElement, useEffect, useState } from 'react';
import { useSettings } from '../../../signed-out/use-settings.js';
import { t } from './words.js';

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
