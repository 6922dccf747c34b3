import { type ReactElement, type ReactNode, useId } from 'react';
import type { MutationState } from '../call/mutation-state.js';
import { t } from '../messages/translate.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { Form, type FormFields } from './form.js';
import { TextField } from './text-field.js';

/** Asks before an action that is hard to undo: its effect, the name of its object, and its own fields. */
export function Confirm({
  title,
  effect,
  action,
  isGrave = true,
  typed,
  mutation,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly effect: ReactNode;
  /** The words on the button that does it. */
  readonly action: string;
  /** Whether it takes something away from a person. */
  readonly isGrave?: boolean;
  /** The text to type; absent if the effect is too small to require one. */
  readonly typed?: { readonly label: string; readonly text: string };
  readonly mutation: MutationState;
  readonly onConfirm: (fields: FormFields, signal: AbortSignal) => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}): ReactElement {
  const id = useId();
  return (
    <Dialog title={title} onClose={onClose}>
      <div id={id} className="text-lead text-pretty wrap-anywhere">
        {effect}
      </div>
      <Form
        mutation={mutation}
        onSend={async (fields, signal) => {
          if (typed !== undefined && asShown(fields['typed'] ?? '') !== asShown(typed.text)) {
            mutation.fail({
              message: '',
              issues: [{ path: 'typed', message: t('ui.typed.differs') }],
              mayRetry: false,
            });
            return;
          }
          await onConfirm(fields, signal);
        }}
      >
        {children}
        {typed === undefined ? null : (
          <>
            <p>
              {typed.label} <bdi className="font-semibold">{typed.text}</bdi>
            </p>
            <TextField
              name="typed"
              label={t('ui.typed')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
          </>
        )}
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            kind={isGrave ? 'grave' : 'primary'}
            isBusy={mutation.isBusy}
            aria-describedby={id}
          >
            {action}
          </Button>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** A text as a page shows it: consecutive spaces are shown, and copied, as one. */
function asShown(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
}
