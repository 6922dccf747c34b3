import { close } from './close.js';
import { create } from './create.js';
import { listMine } from './list-mine.js';
import { rename } from './rename.js';
import { restore } from './restore.js';
import { transferOwnership } from './transfer-ownership.js';

/** The procedures of members for their own accounts. */
export const accountProcedures = { close, create, listMine, rename, restore, transferOwnership };
