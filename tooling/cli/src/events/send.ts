import type { EventType, GatehouseEvent } from '@gatehouse/features/event/event';
import { sampleEvent } from '@gatehouse/features/event/sample-events';
import { signatureHeaders } from '@gatehouse/runtime/network/signature-headers';
import type { CommandContext } from '../command.js';

const MAX_WAIT_MS = 10_000;

/** Longer than receivers accept a delivery. */
const OLD_MS = 10 * 60_000;

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

export interface Sending {
  readonly url: string;
  readonly type: EventType;
  readonly secret: string;
  /** Signs with another secret. */
  readonly hasBadSignature: boolean;
  /** Signs a time ten minutes ago. */
  readonly isOld: boolean;
  /** Sends the event twice, as after a lost answer. */
  readonly isDuplicate: boolean;
  /** Sends a later event of the same subject first. */
  readonly isOutOfOrder: boolean;
  readonly say: CommandContext['say'];
}

/**
 * Sends a sample of an event to a receiver, and says how it answers.
 * @returns whether it accepted what it should, and refused the rest
 */
export async function sendSample(sending: Sending): Promise<boolean> {
  const { say, hasBadSignature, isOld } = sending;
  const isToBeRefused = hasBadSignature || isOld;
  let isWell = true;
  for (const event of eventsOf(sending)) {
    const startedAtMs = performance.now();
    const status = await post(sending, event);
    const ms = Math.round(performance.now() - startedAtMs);
    const what = `${event.type}  ${event.id}  v${event.subjectVersion}`;
    if (status === undefined) {
      say(`${what}  no answer within ${MAX_WAIT_MS / 1000} s`);
      return false;
    }
    const isTaken = status >= 200 && status < 300;
    const verdict =
      isTaken === isToBeRefused ? (isTaken ? '  it should be refused' : '  it should be taken') : '';
    isWell &&= verdict === '';
    say(`${what}  ${status}  ${ms} ms${verdict}`);
  }
  return isWell;
}

function eventsOf({ type, isDuplicate, isOutOfOrder }: Sending): GatehouseEvent[] {
  const versions = isOutOfOrder ? [2, 1] : [1];
  return versions
    .map((subjectVersion) => sampleEvent(type, { subjectVersion }))
    .flatMap((event) => (isDuplicate ? [event, event] : [event]));
}

/** The status of the answer. */
async function post(
  { url, secret, hasBadSignature, isOld }: Sending,
  event: GatehouseEvent,
): Promise<number | undefined> {
  const body = JSON.stringify(event);
  const nowMs = Date.now() - (isOld ? OLD_MS : 0);
  const signed = signatureHeaders([hasBadSignature ? OTHER_SECRET : secret], { id: event.id, body, nowMs });
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(MAX_WAIT_MS),
  }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status;
}
