import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMutationState } from '../failure/use-mutation-state.js';
import { FailureNote } from '../form/form.js';
import { Button, ButtonLink } from '../parts/button.js';
import { t as ofProofs } from '../proof/words.js';
import { Screen } from '../screen/screen.js';
import { withReauth } from '../session/with-reauth.js';
import { t } from './words.js';

/** Replaces screens that require a higher level than the session has. */
export function LevelScreen({
  title,
  level,
  add,
  mayAct = true,
  ask,
}: {
  readonly title: string;
  readonly level: number;
  /** Where second factors are added. */
  readonly add: string;
  /** Whether the viewer can change it. */
  readonly mayAct?: boolean;
  /** A call that requires the level. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Screen
      title={title}
      tone="error"
      lead={t(level >= 3 ? 'level.leadPasskey' : 'level.lead')}
      actions={
        mayAct ? (
          <>
            <Button
              kind="primary"
              isBusy={mutation.isBusy}
              onClick={() =>
                mutation.send(async (signal) => {
                  await withReauth(() => ask(signal));
                  await queries.invalidateQueries();
                })
              }
            >
              {ofProofs('proof.title')}
            </Button>
            <ButtonLink href={add}>{t('level.add')}</ButtonLink>
          </>
        ) : undefined
      }
    >
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </Screen>
  );
}
