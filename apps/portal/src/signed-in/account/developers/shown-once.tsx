import { Button } from '@gatehouse/ui/parts/button';
import { CopyButton } from '@gatehouse/ui/parts/copy-button';
import { Dialog } from '@gatehouse/ui/parts/dialog';
import type { ReactElement, ReactNode } from 'react';
import { t } from './words.js';

/** Shows a secret, this once. It closes only by saying that it is kept. */
export function ShownOnce({
  title,
  lead,
  secret,
  onClose,
  children,
}: {
  readonly title: string;
  readonly lead: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** How it is used. */
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <Dialog title={title}>
      <p className="text-lead text-quiet">{lead}</p>
      <div className="flex flex-col gap-3">
        <p className="bg-well p-3 font-mono wrap-anywhere select-all" translate="no">
          {secret}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <CopyButton text={secret} />
        </div>
      </div>
      {children}
      <Button kind="primary" isWide onClick={onClose}>
        {t('secret.kept')}
      </Button>
    </Dialog>
  );
}
