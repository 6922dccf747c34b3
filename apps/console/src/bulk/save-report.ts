import { csv } from '@gatehouse/ui/export/csv';
import { saveFile } from '@gatehouse/ui/export/save-file';
import { t } from '../words.js';
import type { BulkRun, RunItem } from './bulk-run.js';
import { nameOf } from './names.js';

const WORDS = {
  done: 'bulk.stateDone',
  refused: 'bulk.stateRefused',
  lost: 'bulk.stateLost',
  sent: 'bulk.stateUnknown',
  waiting: 'bulk.stateWaiting',
  again: 'bulk.stateWaiting',
} as const satisfies Readonly<Record<RunItem['state'], string>>;

/** Saves what became of each as CSV. */
export function saveReport(run: BulkRun): void {
  const head = [t('fact.id'), t('fact.name'), t('bulk.result'), t('bulk.why')];
  const rows = run.items.map(({ memberId, state, why = '' }) => [
    memberId,
    nameOf(memberId) ?? '',
    t(WORDS[state]),
    why,
  ]);
  saveFile(`${run.action}.csv`, csv([head, ...rows]), 'text/csv');
}
