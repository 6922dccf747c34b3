import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { type Credential, credentialColumns } from './find-credential.js';

/** The credential of the member with this id, deleted ones included. */
export async function findCredentialById(db: Database, memberId: number): Promise<Credential | undefined> {
  const { members } = db.tables;
  const [row] = await db.select(credentialColumns(db)).from(members).where(eq(members.id, memberId));
  return row;
}
