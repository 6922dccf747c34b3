import { type OutboxMail, type RunningService, readOutbox } from '@gatehouse/testkit';
import {
  callRest,
  callTrpc,
  type TransportCall,
  type TransportCaller,
  type Verdict,
} from './transport-call.js';

const READS = new Set(['list', 'listMine', 'preview']);

/** Calls an invitation procedure over one transport. */
export type InvitationCaller = (
  service: RunningService,
  caller: TransportCaller,
  name: string,
  input?: object,
) => Promise<Verdict>;

/** The same call over each transport. */
export const INVITATION_TRANSPORTS: readonly [string, InvitationCaller][] = [
  ['REST', (service, caller, name, input = {}) => callRest(service, caller, callOf(name, input))],
  ['tRPC', (service, caller, name, input = {}) => callTrpc(service, caller, callOf(name, input))],
];

function callOf(name: string, input: object): TransportCall {
  return {
    procedure: `invitation.${name}`,
    type: READS.has(name) ? 'query' : 'mutation',
    input,
    path: `/v1/invitation/${name}`,
    body: input,
  };
}

/** The fields of an answer besides its status; the code if it was refused. */
export function fieldsOf<Fields = Record<string, unknown>>(verdict: Verdict): Fields {
  if (!('fields' in verdict)) throw new Error(`refused: ${verdict.status} ${verdict.code}`);
  return verdict.fields as Fields;
}

/** The status of a call, and the code if it was refused. */
export function outcomeOf(verdict: Verdict): string {
  return 'fields' in verdict ? '200' : `${verdict.status} ${verdict.code}`;
}

/** The invitation mails to an address, the newest first. */
export async function invitationMails(
  service: RunningService,
  email: string,
): Promise<readonly OutboxMail[]> {
  return (await readOutbox(service)).filter(({ kind, to }) => kind === 'invitation' && to === email);
}

/** The link of the newest invitation mail to an address. */
export async function linkTo(service: RunningService, email: string): Promise<string> {
  const [mail] = await invitationMails(service, email);
  if (mail === undefined) throw new Error(`There is no invitation to ${email}`);
  return mail.token;
}
