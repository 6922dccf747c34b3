import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button, ButtonLink } from '@gatehouse/ui/parts/button';
import { Screen } from '@gatehouse/ui/screen/screen';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { enrolPath } from '../links.js';
import { t } from '../words.js';

/** For staff of whom more is asked than their session has shown. */
export function LevelScreen({ level }: { readonly level: number }): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Screen
      title={t('level.title')}
      tone="error"
      lead={t(level >= 3 ? 'level.leadPasskey' : 'level.lead')}
      actions={
        <>
          <ButtonLink kind="primary" href={enrolPath(location.pathname + location.search)}>
            {t('level.enrol')}
          </ButtonLink>
          <Button
            isBusy={mutation.isBusy}
            onClick={() =>
              mutation.send(async (signal) => {
                await withReauth(() => gatehouse.api.member.search.query({ limit: 1 }, { signal }));
                await queries.invalidateQueries();
              })
            }
          >
            {t('level.prove')}
          </Button>
        </>
      }
    >
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </Screen>
  );
}
