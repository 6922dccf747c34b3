import { type ReactElement, useEffect, useState } from 'react';
import { t } from '../messages/translate.js';
import { CopyButton } from './copy-button.js';

const SHAPE =
  'inline-flex min-h-10 items-center justify-center rounded-small border border-edge bg-card px-4 py-2 font-semibold hover:bg-well';

/** Backup codes, to copy, download or write down. */
export function BackupCodes({
  codes,
  fileName,
}: {
  readonly codes: readonly string[];
  readonly fileName: string;
}): ReactElement {
  const text = `${codes.join('\n')}\n`;
  const file = useFile(text);
  return (
    <>
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
      <div className="flex flex-wrap items-center gap-3">
        <CopyButton text={text} />
        {file === undefined ? null : (
          <a href={file} download={fileName} className={SHAPE}>
            {t('ui.download')}
          </a>
        )}
      </div>
    </>
  );
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
